// Upscales a video file to 1080p, 2k or 4k: node upscale-file.ts small.mp4 1080p large.mp4
import { openAsBlob } from "node:fs";
import { type TargetResolution, Zoetrope } from "@zoetrope/sdk";

const [source, resolution = "1080p", path = "upscaled.mp4"] = process.argv.slice(2);
if (!source) throw new Error("Usage: node upscale-file.ts VIDEO [RESOLUTION] [OUTPUT]");

const client = new Zoetrope();
const video = await openAsBlob(source); // the client uploads it
const task = await client.upscales.run(video, resolution as TargetResolution, {
  onProgress: ({ status, progress }) => console.log(`${status} ${progress} %`),
});
await task.file.download(path);
console.log(`${path}: ${task.creditsConsumed} credits`);
