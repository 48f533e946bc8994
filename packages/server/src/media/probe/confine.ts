import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Readable } from "node:stream";

/**
 * Runs a program on an untrusted file. Always bounded in time, memory, processes and output size; with
 * bubblewrap installed also without network, privileges or any file but its inputs. Whatever happens
 * inside, the worker only gets an exit code and bytes.
 */
export interface Confinement {
  /** What it may read: a local file under a fixed name below `/in`. Names are never a caller's. */
  inputs: Readonly<Record<string, string>>;
  /** A folder that it may write to, seen as `/out`. */
  outputDir?: string;
  msMax: number;
  memoryBytesMax: number;
  /** Of one file that it writes. */
  fileBytesMax: number;
  stdoutBytesMax: number;
  /** Ends it at once. */
  signal?: AbortSignal;
}

export interface ConfinedResult {
  /** `null`: ended by a signal, or by one of the limits. */
  exitCode: number | null;
  stdout: string;
  /** The end of its stderr, for operators. */
  complaint: string;
}

const processesMax = 64;
const openFilesMax = 64;
const complaintCharactersMax = 2_000;
const statusCharactersMax = 4_000;
const bubblewrap = "/usr/bin/bwrap";
/** Of the program itself; inside bubblewrap everything ends with it. */
const dieWithParent = ["/usr/bin/setpriv", "--pdeathsig", "KILL"];

/** bubblewrap writes here whether the program was started: an exit code alone does not show it. */
const statusFd = 3;

/** bubblewrap could not start. That is a failure of this machine and says nothing about the file. */
export class ConfinementError extends Error {}

export interface ConfinementState {
  /** Whether programs run confined; in production a worker does not start otherwise. */
  isConfined: boolean;
  /** Why not, for operators. */
  fault: string | null;
}

let isBoxed = isExecutable(bubblewrap);
let fault: string | null = isBoxed ? null : `${bubblewrap} is not installed`;

/** The result of the last run. */
export function confinementState(): ConfinementState {
  return { isConfined: fault === null, fault };
}

/** For development only: without bubblewrap a program has the network and all files of this process. */
export function runUnconfined(reason: string): void {
  isBoxed = false;
  fault = reason;
}

/** The path under which the program finds an input or the output folder. */
export function confinedPath(within: Confinement, folder: "in" | "out", name: string): string {
  if (isBoxed) return `/${folder}/${name}`;
  const path = folder === "in" ? within.inputs[name] : `${within.outputDir}/${name}`;
  if (path === undefined) throw new Error(`no input ${name}`);
  return path;
}

export function runConfined(
  program: string,
  args: readonly string[],
  within: Confinement,
  onLine?: (line: string) => void,
): Promise<ConfinedResult> {
  const limits = [
    `--as=${within.memoryBytesMax}`,
    `--fsize=${within.fileBytesMax}`,
    `--nofile=${openFilesMax}`,
    "--core=0",
    `--cpu=${Math.ceil((4 * within.msMax) / 1000)}`,
  ];
  const command = isBoxed
    ? [bubblewrap, ...boxOf(within), "--", ...limitsInside(limits, program), ...args]
    : [...dieWithParent, "/usr/bin/prlimit", ...limits, "--", program, ...args];
  return run(command, within, onLine);
}

/** The limits are set inside bubblewrap, so that they apply to the program and not to bubblewrap. */
function limitsInside(limits: string[], program: string): string[] {
  return ["/usr/bin/prlimit", ...limits, `--nproc=${processesMax}`, "--", program];
}

function boxOf({ inputs, outputDir }: Confinement): string[] {
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"],
    ...["--uid", "65534", "--gid", "65534", "--json-status-fd", String(statusFd)],
    ...[
      "--ro-bind",
      "/usr",
      "/usr",
      "--symlink",
      "usr/lib",
      "/lib",
      "--symlink",
      "usr/lib64",
      "/lib64",
    ],
    ...["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"],
    ...["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...Object.entries(inputs).flatMap(([name, path]) => ["--ro-bind", path, `/in/${name}`]),
    ...(outputDir === undefined ? [] : ["--bind", outputDir, "/out"]),
    ...["--setenv", "PATH", "/usr/bin", "--chdir", "/tmp"],
  ];
}

function run(
  [command = "", ...args]: string[],
  within: Confinement,
  onLine?: (line: string) => void,
): Promise<ConfinedResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ConfinedResult>();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe", isBoxed ? "pipe" : "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    detached: true, // its own process group, so that nothing it started outlives it
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let rest = "";
  let complaint = "";
  let isEnded = false;
  const end = () => {
    isEnded = true;
    killGroup(child.pid);
  };
  const timer = setTimeout(end, within.msMax);
  if (within.signal?.aborted) end();
  within.signal?.addEventListener("abort", end, { once: true });
  child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > within.stdoutBytesMax) return end();
    if (onLine === undefined) return void chunks.push(chunk);
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-complaintCharactersMax);
  });
  let status = "";
  const statusPipe = child.stdio[statusFd] as Readable | null;
  statusPipe?.setEncoding("utf8").on("data", (text: string) => {
    status = (status + text).slice(-statusCharactersMax);
  });
  const settle = () => {
    clearTimeout(timer);
    within.signal?.removeEventListener("abort", end);
  };
  child.on("error", (error) => {
    settle();
    reject(failConfinement(error.message));
  });
  child.on("close", (code) => {
    settle();
    killGroup(child.pid);
    const isStarted = !isBoxed || isEnded || code === null || status.includes('"exit-code"');
    if (!isStarted) return reject(failConfinement(complaint.trim()));
    if (isBoxed) fault = null;
    const stdout = Buffer.concat(chunks).toString("utf8");
    resolve({ exitCode: isEnded ? null : code, stdout, complaint });
  });
  return promise;
}

function failConfinement(reason: string): ConfinementError {
  fault = reason;
  return new ConfinementError(`the program could not be run confined: ${reason}`);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // has already exited
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
