// Edits an image with a prompt: node image-edit.ts photo.png "The same place at night" night.png
import { openAsBlob } from "node:fs";
import { Zoetrope } from "@zoetrope/sdk";

const [source, prompt, path = "edited.png"] = process.argv.slice(2);
if (!source || !prompt) throw new Error('Usage: node image-edit.ts IMAGE "PROMPT" [OUTPUT]');

const client = new Zoetrope();
const image = await openAsBlob(source); // the client uploads it
const task = await client.run("image-plus-2", { prompt, urls: [image], resolution: "1k" });
await task.files[0]?.download(path);
console.log(`${path}: ${task.creditsUsed} credits`);
