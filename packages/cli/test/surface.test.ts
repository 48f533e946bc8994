import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serve } from "@zoetrope/testkit/serve.ts";
import { expect, test } from "vitest";
import { environment } from "../src/commands/describe-program.ts";
import { exitCodeMeanings } from "../src/exit-codes.ts";
import { buildJs } from "./build-js.ts";
import { mainFile, runCli, startCli } from "./start-cli.ts";

const nobody = { home: tmpdir(), env: {} };
const run = promisify(execFile);

test("schema lists every command, option and exit code, and the README has them", async () => {
  const { stdout } = await runCli(nobody, ["schema"]);
  const schema = JSON.parse(stdout);
  const names = schema.commands.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["generate", "tasks", "webhooks", "schema"]));
  const generate = schema.commands.find(({ name }: { name: string }) => name === "generate");
  expect(JSON.stringify(generate)).toContain("--max-credits <credits>");
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  for (const [code, meaning] of Object.entries(exitCodeMeanings))
    expect(rows).toContainEqual(["", code, meaning, ""]);
  for (const [name, meaning] of Object.entries(environment))
    expect(rows).toContainEqual(["", `\`${name}\``, meaning, ""]);
  for (const name of names) expect(readme).toContain(`\`${name}`);
});

test("an older Node is told so in one sentence, by every command", async () => {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-old-"));
  try {
    const main = await buildJs(dir);
    expect(await readFile(main, "utf8")).not.toMatch(/^import\b/m); // it would fail before the check
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    const old = [process.execPath, "--import", `data:text/javascript,${pretend}`, main];
    for (const args of [["--version"], ["dev"], ["generate", "a fox"]]) {
      const { code, stdout, stderr } = await startCli(nobody, args, { program: old }).ended;
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(
        /^Error: zoetrope needs Node 22 or newer, and this is Node 20\.20\.2\.[^\n]*\n$/,
      );
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test("bash completes commands, their commands and their options", async () => {
  const { stdout } = await runCli(nobody, ["completions", "bash"]);
  const complete = async (...words: string[]) => {
    const set = `COMP_WORDS=(zoetrope ${words.map((word) => `'${word}'`).join(" ")})`;
    const script = `${stdout}\n${set}; COMP_CWORD=${words.length}; _zoetrope; echo "\${COMPREPLY[@]}"`;
    return (await run("bash", ["-c", script])).stdout.trim();
  };
  expect(await complete("gen")).toBe("generate");
  expect(await complete("tasks", "t")).toBe("timeline");
  expect(await complete("tasks", "list", "--st")).toBe("--status");
  expect(await complete("completions", "f")).toBe("fish");
  expect(await complete("admin", "vend")).toBe("vendors");
  expect(await complete("admin", "vendors", "ro")).toBe("rotate");
  expect(await complete("admin", "vendors", "rotate", "--unch")).toBe("--unchecked");
});

test("wrong arguments are a sentence and exit code 2, help is never refused", async () => {
  const wrong = await runCli(nobody, ["tasks", "lst"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/^Error: Unknown command 'lst'\.\n {2}Did you mean list\?\n/);
  const negative = await runCli(nobody, ["generate", "a", "--max-credits", "-1", "--json"]);
  expect(JSON.parse(negative.stderr)).toMatchObject({ error: { code: "usage", exitCode: 2 } });
  expect(await runCli(nobody, ["generate", "-m", "sd2", "--help"])).toMatchObject({ code: 0 });
});

test("what a hostile service answers reaches the terminal without its escapes", async () => {
  const home = await mkdtemp(join(tmpdir(), "zoetrope-hostile-"));
  const text = "\u001b]0;title\u0007\u009b2J";
  const task = { taskId: text, kind: "upscale", status: text, model: text, credits: text };
  const told = { taskId: text, secret: text, credits: 0, availableCredits: text };
  const answer = { ...told, tasks: [{ ...task, createdAt: text, finishedAt: text, result: null }] };
  await using service = await serve((_request, response) => response.end(JSON.stringify(answer)));
  const env = { ZOETROPE_API_KEY: "zoe_test_none", ZOETROPE_BASE_URL: service.url };
  const commands = [
    "credits",
    "tasks get one",
    "webhooks rotate",
    "upscale https://a/b --to 4k --async",
  ];
  const line = commands.map((command) => `${process.execPath} ${mainFile} ${command}`).join("; ");
  const program = ["script", "-qec", line, "/dev/null"];
  try {
    const { stdout } = await startCli({ home, env }, [], { program }).ended;
    expect(stdout.match(/title/g)?.length).toBeGreaterThan(3);
    expect(stdout).not.toContain("\u001b]0;");
    expect(stdout).not.toContain("\u009b");
  } finally {
    await rm(home, { recursive: true });
  }
});

/** Processor time, not time on the clock: a busy machine takes longer, but works no more. */
async function cpuMs(program: readonly string[]): Promise<number> {
  const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null`;
  const { stderr } = await run("bash", ["-c", script, "-", ...program]);
  const [user = 0, system = 0] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return (user + system) * 1000;
}

test("--version and --help start within 60 ms of bare Node, or 1.5 times its own start where that takes longer", async () => {
  const dir = await mkdtemp(join(tmpdir(), "zoetrope-cold-"));
  try {
    const main = await buildJs(dir);
    const programs = { bare: ["-e", "0"], version: [main, "--version"], help: [main, "--help"] };
    const times = { bare: [] as number[], version: [] as number[], help: [] as number[] };
    for (let round = 0; round < 7; round++)
      for (const name of ["bare", "version", "help"] as const)
        times[name].push(await cpuMs([process.execPath, ...programs[name]]));
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[3] ?? 0;
    const bare = median(times.bare);
    const over = { version: median(times.version) - bare, help: median(times.help) - bare };
    process.stderr.write(`bare=${bare} ms ${JSON.stringify(over)}\n`);
    const allowed = Math.max(60, 1.5 * bare); // a slower machine takes longer for both
    expect(over.version).toBeLessThan(allowed);
    expect(over.help).toBeLessThan(allowed);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
