import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { expect, test } from "vitest";
import { newId, type TaskId } from "../ids.ts";
import { aigcOf, type LabelFrom } from "./aigc.ts";
import { labelImage } from "./label-image.ts";
import { labelMp4 } from "./label-mp4.ts";

const run = promisify(execFile);
const page = fileURLToPath(new URL("../../../../docs/labels.md", import.meta.url));
const taskId = newId<TaskId>(0);
const labelFrom: LabelFrom = (before) => ({
  aigc: aigcOf("Example Co.", taskId, before),
  sourceType: "trainedAlgorithmicMedia",
});

test("the commands of the page for customers keep the label of a video and of an image, and read it", async () => {
  await using scratch = await makeScratch("documented-labels");
  const cwd = scratch.path;
  const plain = await renderFile(
    join(cwd, "plain.mp4"),
    pattern({ size: "320x180", rate: 10, seconds: 1 }),
  );
  const { stream } = labelMp4(labelFrom, { keepsSigned: true });
  await pipeline(createReadStream(plain), stream, createWriteStream(join(cwd, "output.mp4")));
  const background = "teal";
  const png = sharp({ create: { width: 640, height: 480, channels: 3, background } }).png();
  await writeFile(
    join(cwd, "output.png"),
    labelImage(await png.toBuffer(), "image/png", labelFrom),
  );
  const text = await readFile(page, "utf8");
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  const commands = blocks.filter((block) => !block.includes("curl"));
  expect(commands).toHaveLength(3);
  let printed = "";
  for (const command of commands) printed = (await run("bash", ["-euc", command], { cwd })).stdout;
  // The last block reads the copies that the others have made.
  expect(printed.split(taskId)).toHaveLength(3);
  expect(printed).toContain("trainedAlgorithmicMedia");
  await sharp(join(cwd, "output.png")).resize(512).keepXmp().toFile(join(cwd, "small.webp"));
  expect((await readFile(join(cwd, "small.webp"), "latin1")).includes(taskId)).toBe(true);
});
