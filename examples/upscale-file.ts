// Upscales a video file to 1080p, 2k or 4k: node upscale-file.ts small.mp4 1080p large.mp4
import { createWriteStream, openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type TargetResolution, Zoetrope } from "@zoetrope/sdk";

const { ZOETROPE_BASE_URL = "http://127.0.0.1:8080", ZOETROPE_API_KEY = "" } = process.env;
const [source, resolution = "1080p", path = "upscaled.mp4"] = process.argv.slice(2);
if (!source) throw new Error("Usage: node upscale-file.ts VIDEO [RESOLUTION] [OUTPUT]");

const client = new Zoetrope({ baseUrl: ZOETROPE_BASE_URL, apiKey: ZOETROPE_API_KEY });
const video = await openAsBlob(source); // the client uploads it
const { taskId } = await client.upscales.create(video, resolution as TargetResolution);
const task = await client.upscales.wait(taskId, {
  onProgress: ({ status, progress }) => console.log(`${status} ${progress} %`),
});
if (task.result === null) throw new Error(`${task.error?.code}: ${task.error?.message}`);

const response = await fetch(task.result.url);
if (!response.ok || response.body === null) throw new Error(`The file answers ${response.status}`);
await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
console.log(`${path}: ${task.creditsConsumed} credits`);
