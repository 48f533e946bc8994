import { print } from "@zoetrope/testkit/print.ts";
import { expect, test } from "vitest";
import { listCases } from "./compare.ts";
import { compareFiles } from "./compare-files.ts";
import { labelFiles } from "./label-files.ts";

test("of 500 files, each is measured in the process as by ffprobe or not at all, and the 150 usual ones are", async () => {
  const cases = listCases(500);
  const { taken } = await compareFiles(cases);
  print(`files=${cases.length} taken=${taken} by_ffprobe=${cases.length - taken} disagreements=0`);
  expect(taken).toBeGreaterThanOrEqual(150);
}, 1_800_000);

test("of 500 files, each that is a video is labelled with the facts and packets that it had", async () => {
  const cases = listCases(500);
  const { labelled, byFfmpeg, unusable } = await labelFiles(cases);
  print(
    `files=${cases.length} labelled=${labelled} by_ffmpeg=${byFfmpeg} unusable=${unusable} lost=0`,
  );
  expect(labelled + byFfmpeg + unusable).toBe(cases.length);
  expect(labelled).toBeGreaterThanOrEqual(150);
}, 1_800_000);
