import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execPath } from "node:process";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isAlive } from "./is-alive.ts";
import { freePort } from "./ports.ts";
import { answersHttp, type ProcessSpec, printsLine, startProcess } from "./process.ts";
import { waitUntil } from "./wait-until.ts";

let scratch: Scratch;
let logs = 0;

beforeAll(async () => {
  scratch = await makeScratch("process");
});

afterAll(() => scratch.remove());

function nodeSpec(code: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  logs += 1;
  return {
    name: "child",
    command: execPath,
    args: ["--input-type=module-typescript", "--eval", code],
    logFile: join(scratch.path, "logs", `${logs}.log`),
    isReady: printsLine(/^ready$/m),
    ...more,
  };
}

const STAYS = 'process.stdout.write("ready\\n"); setInterval(() => {}, 1000);';

test("starts, restarts and stops, and leaves nothing", async () => {
  const child = await startProcess(nodeSpec(STAYS));
  const first = child.pid;
  expect(isAlive(first)).toBe(true);

  await child.restart();
  expect(child.pid).not.toBe(first);
  expect(isAlive(first)).toBe(false);
  expect(isAlive(child.pid)).toBe(true);

  await child.stop();
  await child.stop();
  expect(isAlive(child.pid)).toBe(false);
});

test("comes back after a kill", async () => {
  await using child = await startProcess(nodeSpec(STAYS));
  await child.kill();
  expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
  expect(isAlive(child.pid)).toBe(false);
  await child.restart();
  expect(isAlive(child.pid)).toBe(true);
});

test("a stop that comes during a restart wins", async () => {
  const child = await startProcess(nodeSpec(STAYS));
  await Promise.all([child.restart(), child.stop()]);
  expect(isAlive(child.pid)).toBe(false);
});

test("is ready when it answers over HTTP", async () => {
  const port = await freePort();
  const code = `import { createServer } from "node:http";
    createServer((_, response) => response.end("ok")).listen(${port}, "127.0.0.1");`;
  const url = `http://127.0.0.1:${port}/`;
  await using child = await startProcess(nodeSpec(code, { isReady: answersHttp(url) }));
  expect((await fetch(url)).status).toBe(200);
  expect(isAlive(child.pid)).toBe(true);
});

test("an end before it is ready fails at once, with the log", async () => {
  const starting = startProcess(
    nodeSpec('process.stderr.write("no such disk\\n"); process.exitCode = 3;'),
  );
  await expect(starting).rejects.toThrow(/child ended \(3\) before it was ready\n.*\nno such disk/);
});

test("not being ready in time fails with the log, and ends the process", async () => {
  const pidFile = join(scratch.path, "pid");
  const script = `echo $$ > '${pidFile}'; echo still warming up; exec sleep 1000`;
  const shell = { command: "sh", args: ["-c", script] }; // starts at once, also on a busy machine
  const starting = startProcess(nodeSpec("", { ...shell, readyTimeoutMs: 1_000 }));
  await expect(starting).rejects.toThrow(/in vain until child is ready\n.*\nstill warming up/);
  expect(isAlive(Number(await readFile(pidFile, "utf8")))).toBe(false);
});

test("a program that does not exist is an error, not a crash", async () => {
  await expect(startProcess(nodeSpec("", { command: "/no/such/program" }))).rejects.toThrow(
    /no such program|No such file|ENOENT/i,
  );
});

test("what ignores SIGTERM is killed after the grace time", async () => {
  const child = await startProcess(
    nodeSpec(`process.on("SIGTERM", () => {}); ${STAYS}`, { stopGraceMs: 200 }),
  );
  await child.stop();
  expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
});

test("takes along the processes it started", async () => {
  const code = `import { spawn } from "node:child_process";
    const grandchild = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
    process.stdout.write("grandchild " + grandchild.pid + "\\n"); ${STAYS}`;
  await using child = await startProcess(nodeSpec(code));
  const log = await readFile(child.logFile, "utf8");
  const grandchild = Number(/grandchild (\d+)/.exec(log)?.[1]);
  expect(isAlive(grandchild)).toBe(true);
  await child.kill();
  await waitUntil("the grandchild is gone", () => !isAlive(grandchild), { timeoutMs: 300_000 });
});

test("sees only the environment it was given", async () => {
  vi.stubEnv("RUST_BACKTRACE", "1");
  const code = `process.stdout.write(JSON.stringify(Object.keys(process.env)) + "\\n"); ${STAYS}`;
  await using child = await startProcess(nodeSpec(code, { env: { GIVEN: "yes" } }));
  vi.unstubAllEnvs();
  const names: unknown = JSON.parse((await readFile(child.logFile, "utf8")).split("\n")[0] ?? "");
  expect(names).toContain("GIVEN");
  expect(names).toContain("PATH");
  expect(names).not.toContain("RUST_BACKTRACE");
});

test("does not outlive a parent that is killed", async () => {
  const inner = nodeSpec(STAYS);
  const code = `import { startProcess, printsLine } from ${JSON.stringify(new URL("process.ts", import.meta.url).href)};
    const child = await startProcess({ ...${JSON.stringify(inner)}, isReady: printsLine(/^ready$/m) });
    process.stdout.write("inner " + child.pid + "\\nready\\n");`;
  const parent = await startProcess(nodeSpec(code));
  const log = await readFile(parent.logFile, "utf8");
  const child = Number(/inner (\d+)/.exec(log)?.[1]);
  expect(isAlive(child)).toBe(true);
  await parent.kill();
  await waitUntil("the child is gone", () => !isAlive(child), { timeoutMs: 300_000 });
});
