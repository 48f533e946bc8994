import { readFile } from "node:fs/promises";
import { relative } from "node:path";

/** Prints the ten test files that took longest, from vitest's JSON report. */

interface Report {
  testResults: { name: string; startTime: number; endTime: number }[];
}

const [, , path] = process.argv;
if (path === undefined) throw new Error("Usage: node tools/slowest.ts REPORT.json");
const { testResults }: Report = JSON.parse(await readFile(path, "utf8"));
const files = testResults.map(({ name, startTime, endTime }) => ({
  name: relative(".", name),
  seconds: Math.round((endTime - startTime) / 1000),
}));
files.sort((one, other) => other.seconds - one.seconds);
process.stdout.write("the ten slowest test files\n");
for (const { name, seconds } of files.slice(0, 10))
  process.stdout.write(`${String(seconds).padStart(6)} s  ${name}\n`);
