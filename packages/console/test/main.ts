import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print } from "@zoetrope/testkit/print.ts";
import type { Figures } from "./harness/figures.ts";

/**
 * `npm run console-test`: every journey in both languages, both colour schemes, by mouse and by keyboard,
 * with the budgets and the hostile texts. Arguments after the command go to vitest.
 */
const dir = await mkdtemp(join(tmpdir(), "zoetrope-console-test-"));
const figuresPath = join(dir, "figures.jsonl");
const args = ["run", "packages/console/test/journeys.test.ts", ...process.argv.slice(2)];
const env = {
  // biome-ignore lint/style/noProcessEnv: handed on
  ...process.env,
  CONSOLE_PROFILE: "full",
  CONSOLE_FIGURES: figuresPath,
};
const child = spawn("vitest", args, { stdio: "inherit", env });
const code = await new Promise<number>((resolve) => child.on("exit", (exit) => resolve(exit ?? 1)));
const lines = (await readFile(figuresPath, "utf8").catch(() => "")).trim().split("\n");
const noted = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Figures);
const figures: Figures = Object.assign({}, ...noted);
await rm(dir, { recursive: true });
const { journeys = 0, jsKb = 0, requestsPerPageMax = 0, contentMs = 0 } = figures;
const violations = code === 0 ? 0 : "see_above";
print(`content_ms_max=${contentMs.toFixed(0)}`);
print(
  `journeys=${journeys} violations=${violations} js_kb=${jsKb.toFixed(0)} requests_per_page_max=${requestsPerPageMax}`,
);
process.exitCode = code;
