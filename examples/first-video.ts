// Makes a video from a prompt: node first-video.ts "A paper boat crosses a puddle" boat.mp4
import { Zoetrope } from "@zoetrope/sdk";

const [prompt = "A paper boat crosses a puddle", path = "boat.mp4"] = process.argv.slice(2);

const client = new Zoetrope();
const task = await client.run(
  "sd2",
  { prompt, duration: "4s" },
  { maxCredits: 50, onProgress: ({ status }) => console.log(status) },
);
await task.files[0]?.download(path);
console.log(`${path}: ${task.creditsUsed} credits`);
