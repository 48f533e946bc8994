// Makes a video that shows what is in an image: node reference-video.ts robot.png "It waves" robot.mp4
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { Zoetrope } from "@zoetrope/sdk";

const [source, prompt, path = "reference.mp4"] = process.argv.slice(2);
if (!source || !prompt) throw new Error('Usage: node reference-video.ts IMAGE "PROMPT" [OUTPUT]');

const client = new Zoetrope();
const image = await openAsBlob(source);
const { assetId } = await client.assets.upload(image, { type: "IMAGE", name: basename(source) });
const asset = await client.assets.wait(assetId);
if (asset.status === "FAILED") throw new Error(`The image was refused: ${asset.failReason}`);

// An asset stays in the library: later tasks can use the same id.
const reference = `asset://${asset.upstreamAssetId}`;
const task = await client.run("sd2", {
  prompt,
  videoInputMode: "reference",
  resolution: "1280x720",
  urls: [reference],
  duration: "4s",
});
await task.files[0]?.download(path);
console.log(`${path}: made with ${reference}`);
