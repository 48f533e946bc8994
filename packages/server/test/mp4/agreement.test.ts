import { expect, test } from "vitest";
import { listCases } from "./compare.ts";
import { compareFiles } from "./compare-files.ts";
import { labelFiles } from "./label-files.ts";

const caseCount = 500;
const everyNth = 12;

test("of some of the 500 files of the long suite, each is measured in the process as by ffprobe or not at all, and usual ones are", async () => {
  const cases = listCases(caseCount).filter((_, at) => at % everyNth === 0);
  expect(cases.length).toBeGreaterThan(40);
  expect((await compareFiles(cases)).taken).toBeGreaterThan(12);
});

test("of fewer of them, each that is a video is labelled with the facts and packets that it had", async () => {
  const cases = listCases(caseCount).filter((_, at) => at % (2 * everyNth) === 1);
  const { labelled, byFfmpeg } = await labelFiles(cases);
  expect(labelled).toBeGreaterThan(5);
  expect(byFfmpeg).toBeGreaterThan(0);
});
