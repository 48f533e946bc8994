import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeNoise } from "@zoetrope/testkit/make-media.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fitFile } from "./fit-file.ts";

let scratch: Scratch;
let path: string;
let sizeBytes: number;
beforeAll(async () => {
  scratch = await makeScratch("fit-file");
  path = join(scratch.path, "noise.png");
  await writeFile(path, makeNoise(600, 400));
  sizeBytes = (await stat(path)).size;
});
afterAll(() => scratch.remove());

test("a file that is small enough is taken as it is", async () => {
  const copyPath = join(scratch.path, "none");
  expect(await fitFile(path, sizeBytes, copyPath)).toEqual({
    kind: "file",
    path,
    contentType: "image/png",
  });
  await expect(stat(copyPath)).rejects.toThrow("ENOENT");
});

test("a file that is too large becomes a smaller one of the same sides", async () => {
  const copyPath = join(scratch.path, "copy");
  const fitted = await fitFile(path, sizeBytes - 1, copyPath);
  expect(fitted).toEqual({ kind: "file", path: copyPath, contentType: "image/jpeg" });
  expect((await stat(copyPath)).size).toBeLessThan(sizeBytes);
  expect(await sharp(await readFile(copyPath)).metadata()).toMatchObject({
    format: "jpeg",
    width: 600,
    height: 400,
  });
});

test("what cannot be made small enough is a fault, and so is what is no image", async () => {
  const copyPath = join(scratch.path, "failed");
  expect(await fitFile(path, 1_000, copyPath)).toEqual({
    kind: "fault",
    fault: "cannot be reduced to 1000 bytes",
  });
  const text = join(scratch.path, "text.png");
  await writeFile(text, "no image");
  expect(await fitFile(text, 4, copyPath)).toEqual({
    kind: "fault",
    fault: expect.any(String),
  });
});

test("a copy that cannot be written is trouble of ours, not a fault of the file", async () => {
  const nowhere = join(scratch.path, "no-such-folder", "copy");
  await expect(fitFile(path, sizeBytes - 1, nowhere)).rejects.toThrow("ENOENT");
});
