import { execFileSync, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parts } from "./suites.ts";

const usage = `Usage: npm run -s nightly [-- PART | list | TEXT…]

  (nothing)  every part, one after the other
  PART       one part, 1 to ${parts.length}
  list       the parts with their commands and minutes
  TEXT…      the suites whose command contains a text
`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const minutesOf = (suites: (typeof parts)[number]) =>
  suites.reduce((sum, suite) => sum + suite.minutes, 0);

const texts = process.argv.slice(2);
if (texts[0] === "list") printList();
else await runAll(choose());

function choose() {
  const part = /^\d+$/.test(texts[0] ?? "") ? parts[Number(texts[0]) - 1] : undefined;
  const named = parts.flat().filter(({ run }) => texts.some((text) => run.includes(text)));
  const chosen = texts.length === 0 ? parts.flat() : (part ?? named);
  if (chosen.length > 0) return chosen;
  process.stderr.write(`No suite has ${texts.join(" or ")} in its command.\n\n${usage}`);
  process.exit(2);
}

function printList(): void {
  print("| part | command | minutes |\n| --- | --- | --- |");
  for (const [index, part] of parts.entries()) {
    for (const { run, minutes } of part) print(`| ${index + 1} | npm run -s ${run} | ${minutes} |`);
    print(`| ${index + 1} | in all | ${minutesOf(part)} |`);
  }
}

/** Runs suites one after the other. Their output goes to files; the last line is `N passed, N failed`. */
async function runAll(chosen: (typeof parts)[number]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "nightly-"));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  print(
    `${chosen.length} suites at ${commit}, about ${minutesOf(chosen)} minutes; their output is in ${dir}`,
  );
  const rows: { run: string; isGreen: boolean; minutes: string; lastLine: string }[] = [];
  for (const { run } of chosen) {
    const startedAt = performance.now();
    const { code, lastLine } = await runSuite(run, dir);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    rows.push({ run, isGreen: code === 0, minutes, lastLine });
    print(`${code === 0 ? "passed" : "FAILED"}  ${run}  ${minutes} min  ${lastLine}`);
  }
  print("\n| command | last line | result | minutes | commit |\n| --- | --- | --- | --- | --- |");
  for (const { run, isGreen, minutes, lastLine } of rows)
    print(
      `| ${run} | \`${lastLine}\` | ${isGreen ? "passed" : "FAILED"} | ${minutes} | ${commit} |`,
    );
  const passed = rows.filter(({ isGreen }) => isGreen).length;
  print(`${passed} passed, ${rows.length - passed} failed`);
  process.exitCode = passed === rows.length && rows.length > 0 ? 0 : 1;
}

async function runSuite(
  run: string,
  dir: string,
): Promise<{ code: number | null; lastLine: string }> {
  const child = spawn("npm", ["run", "-s", ...run.split(" ")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
  const file = join(dir, `${run.replaceAll(/[^a-z0-9]+/g, "-")}.log`);
  const log = createWriteStream(file);
  let last = "";
  child.stdout.on("data", (bytes: Buffer) => {
    last = `${last}${bytes}`.slice(-10_000);
  });
  child.stderr.pipe(log, { end: false });
  await pipeline(child.stdout, log, { end: false });
  const code = await ended;
  log.end();
  return { code, lastLine: last.trimEnd().split("\n").at(-1) ?? "" };
}
