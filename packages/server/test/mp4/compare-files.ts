import { expect } from "vitest";
import { type Case, compareAll, disagreements } from "./compare.ts";

/** Both ways agree about every file or the process declines; usual files it does not decline. */
export async function compareFiles(cases: readonly Case[]): Promise<{ taken: number }> {
  const all = await compareAll(cases);
  expect(all).toHaveLength(cases.length);
  expect(disagreements(all)).toEqual([]);
  const declined = all.filter(({ isUsual, inProcess }) => isUsual && inProcess.kind === "unusual");
  expect(declined).toEqual([]);
  return { taken: all.filter(({ inProcess }) => inProcess.kind === "measured").length };
}
