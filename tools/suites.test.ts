import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { suites } from "../suites/bench/src/suite-table.ts";
import { scenarios } from "../suites/chaos/src/scenario-table.ts";
import { leftOut, partMinutesMax, parts, reduced, tools } from "./suites.ts";

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");
const ci = await read(".ci/run");
const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
const nightly = parts.flat();
const words = new Set(nightly.map(({ run }) => run.replace(/ \d+$/, "")));

test.each([
  ...Object.keys(scenarios).map((name) => `chaos -- ${name}`),
  ...Object.keys(suites).map((name) => `bench -- ${name}`),
])("%s is run by the nightly command at its usual size", (name) => {
  expect(words.has(name)).toBe(true);
});

test("what the nightly command runs with a size of its own has a reason", () => {
  const sized = nightly.map(({ run }) => run).filter((run) => / \d+$/.test(run));
  expect(sized).toEqual(Object.keys(reduced));
});

test("every script is run by .ci/run or the nightly command, or is left out with a reason, or checks nothing", () => {
  const command = (name: string) => (name === "test" ? "vitest run" : `npm run -s ${name}`);
  const isKept = (name: string) =>
    ci.includes(command(name)) || words.has(name) || name in leftOut || tools.includes(name);
  const rotting = Object.keys(scripts).filter((name) => !isKept(name));
  expect(rotting).toEqual([]);
});

test("the nightly command names scripts, scenarios and suites that exist, each once", () => {
  const known = [
    ...Object.keys(scenarios).map((name) => `chaos -- ${name}`),
    ...Object.keys(suites).map((name) => `bench -- ${name}`),
    ...Object.keys(scripts),
  ];
  expect([...words, ...Object.keys(leftOut)].filter((name) => !known.includes(name))).toEqual([]);
  expect(words.size).toBe(nightly.length);
});

test.each(parts.map((part, index) => ({ number: index + 1, part })))(
  "part $number of the nightly command ends in time",
  ({ part }) => {
    const minutes = part.reduce((sum, suite) => sum + suite.minutes, 0);
    expect(minutes).toBeLessThanOrEqual(partMinutesMax);
  },
);
