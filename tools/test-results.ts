import { spawnSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { relative } from "node:path";

/**
 * Reads vitest's JSON report: prints the slowest files and every failure, and tries a few failed tests
 * once more, with nothing beside them. What passes then is named, and counts as passed. The last line is
 * `N passed, N failed`.
 */

interface Report {
  testResults: {
    name: string;
    status: "passed" | "failed";
    startTime: number;
    endTime: number;
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      fullName: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
}

/** More failures than this are the change's. */
const triedAgainMax = 12;
const shownLinesMax = 25;

const [, , path = "", again = "", endedWith] = process.argv;
if (endedWith === undefined)
  throw new Error("Usage: node tools/test-results.ts REPORT.json SECOND-REPORT.json EXIT-STATUS");
const print = (text: string) => process.stdout.write(`${text}\n`);
const read = async (report: string): Promise<Report> => JSON.parse(await readFile(report, "utf8"));
const passedIn = ({ testResults }: Report) =>
  testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === "passed");
const failedIn = ({ testResults }: Report) =>
  testResults.flatMap((file) => {
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    // A file without a failed test of its own was not loaded, or a hook failed.
    const whole = { ancestorTitles: [], title: "", fullName: "", failureMessages: [file.message] };
    const failures = tests.length === 0 && file.status === "failed" ? [whole] : tests;
    return failures.map(({ ancestorTitles, title, fullName, failureMessages: [message = ""] }) => ({
      file: relative(".", file.name),
      titles: [...ancestorTitles, title],
      fullName,
      message,
    }));
  });

const report = await read(path);
printSlowest();
const failed = failedIn(report);
const passed = passedIn(report).length;
for (const { file, fullName, message } of failed)
  print(`\nFAILED: ${file}: ${fullName}\n${firstLines(message)}`);
const failedTwice = await tryAgain();
print(`${passed + failed.length - failedTwice} passed, ${failedTwice} failed`);
// Vitest fails as well for an error that belongs to no test.
const isUnexplained = endedWith !== "0" && failed.length === 0;
process.exitCode = failedTwice > 0 || isUnexplained ? 1 : 0;

/** Returns how many of the failed tests fail alone as well. */
async function tryAgain(): Promise<number> {
  if (failed.length === 0 || failed.length > triedAgainMax) return failed.length;
  print(`\n${failed.length} failed tests are tried once more, with nothing beside them.`);
  // A file whose hook failed is run whole.
  const [files, tests] = [failed.filter(isWholeFile), failed.filter((one) => !isWholeFile(one))];
  // The pattern meets the titles with another separator than the report has.
  const names = tests.map(({ titles }) => titles.map(escaped).join("(?: > | )"));
  const unsteady = [
    ...(await passing(files, [])),
    ...(await passing(tests, ["--testNamePattern", `^(${names.join("|")})$`])),
  ];
  for (const { file, fullName } of unsteady) print(`PASSED ONLY ALONE: ${file}: ${fullName}`);
  return failed.length - unsteady.length;
}

type Failure = (typeof failed)[number];

function isWholeFile({ fullName }: Failure): boolean {
  return fullName === "";
}

/** Runs their files again, and returns those that pass now. */
async function passing(failures: readonly Failure[], options: string[]): Promise<Failure[]> {
  if (failures.length === 0) return [];
  const args = [
    ...new Set(failures.map(({ file }) => file)),
    ...options,
    ...["--maxWorkers", "1"],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${again}`],
  ];
  await rm(again, { force: true });
  spawnSync("vitest", ["run", ...args], { stdio: "inherit" });
  const second = await read(again).catch(() => null);
  if (second === null) return [];
  const failedNow = failedIn(second);
  const passedNow = new Set(passedIn(second).map(({ fullName }) => fullName));
  return failures.filter((one) =>
    isWholeFile(one)
      ? !failedNow.some(({ file }) => file === one.file)
      : passedNow.has(one.fullName),
  );
}

function printSlowest(): void {
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    name: relative(".", name),
    seconds: Math.round((endTime - startTime) / 1000),
  }));
  files.sort((one, other) => other.seconds - one.seconds);
  print("the ten slowest test files");
  for (const { name, seconds } of files.slice(0, 10))
    print(`${String(seconds).padStart(6)} s  ${name}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function firstLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes("node_modules"))
    .slice(0, shownLinesMax)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join("\n");
}
