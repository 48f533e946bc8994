// Makes an image for every line of a file: node batch.ts prompts.txt images
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Zoetrope } from "@zoetrope/sdk";

const [source, folder = "images"] = process.argv.slice(2);
if (!source) throw new Error("Usage: node batch.ts PROMPTS [FOLDER]");

const client = new Zoetrope();
const prompts = (await readFile(source, "utf8")).split("\n").filter((line) => line.trim() !== "");
const requests = prompts.map((prompt) => ({
  model: "image-plus-2" as const,
  inputs: { prompt, resolution: "1k" as const },
}));
await mkdir(folder, { recursive: true });

let failed = 0;
for await (const result of client.batch(requests, { concurrency: "account" })) {
  const name = String(result.index + 1).padStart(3, "0"); // the number of the prompt
  if (result.status === "completed") {
    await result.value.files[0]?.download(join(folder, `${name}.png`));
    console.log(`${name} ${prompts[result.index]}`);
  } else {
    failed += 1; // one failure stops no other task, and costs nothing
    console.error(`${name} ${result.error}`);
  }
}
console.log(`${prompts.length - failed} of ${prompts.length} images`);
process.exitCode = failed === 0 ? 0 : 1;
