import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { formats, megabyte, type Sample } from "./boundary.ts";
import { makeFile } from "./make-file.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch("samples");
});
afterAll(() => scratch.remove());

test.each([
  { format: "png", width: 6001, height: 400 },
  { format: "png", width: 400, height: 400, sizeBytes: 50 * megabyte },
  { format: "png", width: 400, height: 400, sizeBytes: 10 * megabyte + 1 },
  { format: "jpeg", width: 300, height: 751 },
  { format: "webp", width: 768, height: 256 },
  { format: "bmp", width: 401, height: 400 },
  { format: "wav", durationMs: 15_000 },
  { format: "wav", durationMs: 15_001 },
  { format: "wav", durationMs: 1_000, sizeBytes: 50 * megabyte },
  { format: "mp3", durationMs: 15_000 },
  { format: "mp3", durationMs: 15_001 },
  { format: "mp4", width: 64, height: 48, durationMs: 15_000 },
  { format: "mp4", width: 64, height: 48, durationMs: 15_001 },
] as Sample[])("a made file is measured as what it was asked to be: %o", async (sample) => {
  const bytes = await makeFile(sample);
  const path = join(scratch.path, "made");
  await writeFile(path, bytes);
  const { format, width = null, height = null, durationMs = null } = sample;
  const facts = { ...formats[format], width, height, durationMs };
  expect(await probeMedia(path)).toMatchObject(facts);
  if (sample.sizeBytes !== undefined) expect(bytes.length).toBe(sample.sizeBytes);
});

test.each(["gif", "ogg"] as const)("a %s is nothing that is read here", async (format) => {
  const path = join(scratch.path, "stranger");
  await writeFile(path, await makeFile({ format }));
  expect(await probeMedia(path)).toBeNull();
});
