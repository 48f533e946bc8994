import { expect, test } from "vitest";
import { listCases } from "./compare.ts";
import { compareFiles } from "./compare-files.ts";

const caseCount = 500;
const everyNth = 12;

test("of some of the 500 files of the long suite, each is measured in the process as by ffprobe or not at all, and usual ones are", async () => {
  const cases = listCases(caseCount).filter((_, at) => at % everyNth === 0);
  expect(cases.length).toBeGreaterThan(40);
  expect((await compareFiles(cases)).taken).toBeGreaterThan(12);
});
