import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkConfinement } from "./check-confinement.ts";
import {
  type Confinement,
  ConfinementError,
  confinedPath,
  confinementState,
  runConfined,
} from "./confine.ts";

const megabyte = 1024 * 1024;
const isBoxed = existsSync("/usr/bin/bwrap");
const shell = "/usr/bin/sh";
const waitLimits = { timeout: 180_000 };

let scratch: Scratch;
let within: Confinement & { outputDir: string };
beforeAll(async () => {
  scratch = await makeScratch("confine");
  await writeFile(join(scratch.path, "input"), "the input");
  await writeFile(join(scratch.path, "neighbour"), "the neighbour");
  within = {
    inputs: { media: join(scratch.path, "input") },
    outputDir: scratch.path,
    msMax: 20_000,
    memoryBytesMax: 256 * megabyte,
    fileBytesMax: megabyte,
    stdoutBytesMax: megabyte,
  };
});
afterAll(() => scratch.remove());

/** Guarantees of the box. Where there is no bubblewrap they do not hold, and the name says so. */
function boxed(guarantee: string, check: () => Promise<void>): void {
  const name = isBoxed ? guarantee : `NOT GUARANTEED HERE, bubblewrap is missing: ${guarantee}`;
  test(name, async () => {
    if (isBoxed) await check();
  });
}

/** Processes of this machine with this command line, whatever is around them. */
async function countRunning(command: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  const isIt = (line: string) => line.replaceAll("\0", " ").trim().endsWith(command);
  const isProgram = (line: string) => !/^[^\0]*(bwrap|setpriv|prlimit)\0/.test(line);
  return lines.filter((line) => isIt(line) && isProgram(line)).length;
}

test("a program gives its exit code, what it wrote and what it complained about", async () => {
  const ended = await runConfined(shell, ["-c", "echo out; echo err >&2; exit 3"], within);
  const stdoutBytes = Buffer.from("out\n");
  expect(ended).toEqual({
    exitCode: 3,
    isTooLong: false,
    stdout: "out\n",
    stdoutBytes,
    complaint: "err\n",
  });
});

test("it reads its input under a fixed name and writes to its folder", async () => {
  const [from, to] = [confinedPath(within, "in", "media"), confinedPath(within, "out", "copy")];
  const { exitCode } = await runConfined("/usr/bin/cp", [from, to], within);
  expect(exitCode).toBe(0);
  expect(await readFile(join(scratch.path, "copy"), "utf8")).toBe("the input");
});

test("lines are given one by one, and not kept", async () => {
  const lines: string[] = [];
  const { stdout } = await runConfined("/usr/bin/seq", ["10000"], within, (line) => {
    lines.push(line);
  });
  expect(stdout).toBe("");
  expect(lines).toEqual(Array.from({ length: 10_000 }, (_, index) => String(index + 1)));
});

test("time: a program that does not end is ended, with everything it started", async () => {
  const mark = `4321.1${process.pid}`;
  const script = `sleep ${mark} & sleep ${mark}`;
  const startedAt = performance.now();
  const { exitCode } = await runConfined(shell, ["-c", script], { ...within, msMax: 300 });
  expect(exitCode).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(within.msMax);
  await expect.poll(() => countRunning(`sleep ${mark}`), waitLimits).toBe(0);
});

test("what a program leaves running when it ends by itself ends with it", async () => {
  const mark = `4321.2${process.pid}`;
  const script = `sleep ${mark} >/dev/null 2>&1 & exit 0`;
  expect((await runConfined(shell, ["-c", script], within)).exitCode).toBe(0);
  await expect.poll(() => countRunning(`sleep ${mark}`), waitLimits).toBe(0);
});

/** Another process that runs a program, where bubblewrap can be hidden from it. */
function runElsewhere(program: string, args: string[], hasBox: boolean) {
  const script = `
    import { runConfined } from ${JSON.stringify(new URL("confine.ts", import.meta.url).href)};
    await runConfined(${[program, args, within].map((value) => JSON.stringify(value)).join()});`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const hidden = [
    "--die-with-parent",
    "--dev-bind",
    "/",
    "/",
    "--ro-bind",
    "/dev/null",
    "/usr/bin/bwrap",
  ];
  const [command = "", ...rest] = hasBox ? node : ["/usr/bin/bwrap", ...hidden, ...node];
  return spawn(command, rest, { stdio: "inherit" });
}

for (const isInside of [true, false])
  boxed(`${isInside ? "in the box" : "without it"} a program dies with its worker`, async () => {
    const mark = `${isInside ? "4321.3" : "4321.4"}${process.pid}`;
    const worker = runElsewhere("/usr/bin/sleep", [mark], isInside);
    await expect.poll(() => countRunning(`sleep ${mark}`), waitLimits).toBeGreaterThan(0);
    worker.kill("SIGKILL");
    await expect.poll(() => countRunning(`sleep ${mark}`), waitLimits).toBe(0);
  });

test("memory: a program that wants more than it may gets none and fails", async () => {
  const { exitCode, complaint } = await runConfined("/usr/bin/tail", ["/dev/zero"], within);
  expect(exitCode).not.toBe(0);
  expect(complaint).toContain("memory exhausted");
});

test("output: a program that prints without end is ended, and little of it is kept", async () => {
  const { exitCode, stdout } = await runConfined("/usr/bin/yes", [], within);
  expect(exitCode).toBeNull();
  expect(stdout.length).toBeLessThanOrEqual(megabyte);
});

test("complaints without end are kept in their last part only", async () => {
  const script = "yes complaint | head -c 1000000 >&2; echo last >&2";
  const { complaint } = await runConfined(shell, ["-c", script], within);
  expect(complaint.length).toBe(2_000);
  expect(complaint.endsWith("last\n")).toBe(true);
});

test("files: none grows beyond its limit", async () => {
  const target = confinedPath(within, "out", "large");
  const { exitCode } = await runConfined(shell, ["-c", `exec yes > ${target}`], within);
  expect(exitCode).not.toBe(0);
  expect((await stat(join(scratch.path, "large"))).size).toBeLessThanOrEqual(megabyte);
});

test("a program that is not there is an error, or an exit code, and never a wait", async () => {
  const result = await runConfined("/usr/bin/no-such-program", [], within);
  expect(result.exitCode).not.toBe(0);
});

boxed("there is no network inside, not even this machine", async () => {
  let connections = 0;
  const server = createServer(() => connections++).listen(0, "127.0.0.1");
  try {
    await expect.poll(() => server.listening).toBe(true);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/video.mp4`;
    const { exitCode } = await runConfined("/usr/bin/ffprobe", ["-v", "error", url], within);
    expect(exitCode).not.toBe(0);
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});

boxed("there is no file inside but programs and the inputs", async () => {
  const listed = await runConfined(shell, ["-c", "ls / /in /etc /home /root /var 2>/dev/null"], {
    ...within,
    inputs: within.inputs,
  });
  expect(listed.stdout).not.toMatch(/passwd|shadow|home:|root:|var:/);
  expect((await runConfined("/usr/bin/ls", ["/in"], within)).stdout).toBe("media\n");
  for (const path of ["/etc/passwd", join(scratch.path, "neighbour"), "/in/../in/neighbour"])
    expect((await runConfined("/usr/bin/cat", [path], within)).exitCode, path).toBe(1);
});

boxed("the input cannot be changed from inside", async () => {
  const { exitCode } = await runConfined(shell, ["-c", "echo changed > /in/media"], within);
  expect(exitCode).not.toBe(0);
  expect(await readFile(join(scratch.path, "input"), "utf8")).toBe("the input");
});

boxed("nothing of our environment, and no right of ours, is inside", async () => {
  const { stdout } = await runConfined(shell, ["-c", "env | cut -d= -f1 | sort; id -u"], within);
  expect(stdout.split("\n").filter(Boolean)).toEqual(["PATH", "PWD", "65534"]);
  const { stdout: rights } = await runConfined(
    "/usr/bin/grep",
    ["CapEff", "/proc/self/status"],
    within,
  );
  expect(rights.trim()).toMatch(/0{16}$/);
});

boxed("other processes of the machine cannot be seen", async () => {
  const { stdout } = await runConfined(shell, ["-c", "ls /proc | grep -c '^[0-9]'"], within);
  expect(Number(stdout)).toBeLessThan(8);
});

boxed(
  "a box that cannot be built is an error of its own, and is known until one works",
  async () => {
    expect(confinementState()).toEqual({ isConfined: true, fault: null });
    const gone = { ...within, inputs: { media: join(scratch.path, "no such file") } };
    const unread = runConfined(shell, ["-c", "exit 0"], gone);
    await expect(unread).rejects.toThrow("a file of the program is gone");
    expect(confinementState()).toEqual({ isConfined: true, fault: null });
    const unbuilt = { ...within, programs: { "/usr/no-place": shell } };
    const failed = runConfined(shell, ["-c", "exit 0"], unbuilt);
    await expect(failed).rejects.toBeInstanceOf(ConfinementError);
    expect(confinementState()).toEqual({
      isConfined: false,
      fault: expect.stringContaining("bwrap: "),
    });
    const { exitCode } = await runConfined(
      shell,
      ["-c", "echo 'bwrap: No permissions' >&2; exit 1"],
      within,
    );
    expect(exitCode).toBe(1);
    expect(confinementState()).toEqual({ isConfined: true, fault: null });
  },
);

boxed("a program that is killed inside its box is no fault of the box", async () => {
  const { exitCode } = await runConfined(shell, ["-c", "kill -9 $$"], within);
  expect(exitCode).toBe(137);
});

boxed("the check at start finds that the box works", async () => {
  expect(await checkConfinement()).toEqual({ isConfined: true, fault: null });
});
