import { spawn } from "node:child_process";
import { accessSync, constants, createReadStream } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Runs a program on an untrusted file. Always bounded in time, memory, processes and output size; with
 * bubblewrap installed also without network, privileges or any file but its inputs. Whatever happens
 * inside, the worker only gets an exit code and bytes.
 */
export interface Confinement {
  /** The files it may read: local files under fixed names below `/in`. Names never come from a caller. */
  inputs: Readonly<Record<string, string>>;
  /** Programs and their parts that it may read besides `/usr`, by their place inside. */
  programs?: Readonly<Record<string, string>>;
  /** The data on its stdin: bytes, a local file, or what is written while it runs. */
  stdin?: Buffer | string | Readable;
  /** A folder that it may write to, seen as `/out`. */
  outputDir?: string;
  msMax: number;
  memoryBytesMax: number;
  /** Node reserves far more addresses than it uses: what is bounded is what it may write to. */
  reservesMemory?: boolean;
  /** The maximum size of one file that it writes. */
  fileBytesMax: number;
  stdoutBytesMax: number;
  /** Ends it at once. */
  signal?: AbortSignal;
}

export interface ConfinedResult {
  /** `null`: ended by a signal, or by one of the limits. */
  exitCode: number | null;
  /** Whether it was ended because it wrote more to its stdout than it may. */
  isTooLong: boolean;
  stdout: string;
  stdoutBytes: Buffer;
  /** The end of its stderr, for operators. */
  complaint: string;
}

const processesMax = 64;
const openFilesMax = 64;
const complaintCharactersMax = 2_000;
const statusCharactersMax = 4_000;
const bubblewrap = "/usr/bin/bwrap";
/** Ends the program when its parent dies. Inside bubblewrap, all processes end with it. */
const dieWithParent = ["/usr/bin/setpriv", "--pdeathsig", "KILL"];

/** bubblewrap writes here whether the program was started: an exit code alone does not show it. */
const statusFd = 3;

/** bubblewrap could not start. That is a failure of this machine and says nothing about the file. */
export class ConfinementError extends Error {}

export interface ConfinementState {
  /** Whether programs run confined; in production a worker does not start otherwise. */
  isConfined: boolean;
  /** The reason why not, for operators. */
  fault: string | null;
}

let isBoxed = isExecutable(bubblewrap);
let fault: string | null = isBoxed ? null : `${bubblewrap} is not installed`;

/** The result of the last run. */
export function confinementState(): ConfinementState {
  return { isConfined: fault === null, fault };
}

/**
 * Runs programs without bubblewrap, for development only: a program has the network and all files of this
 * process.
 */
export function runUnconfined(reason: string): void {
  isBoxed = false;
  fault = reason;
}

/** The path of a program that is not below `/usr`: its place inside, or its own where nothing is confined. */
export function confinedProgram({ programs = {} }: Confinement, inside: string): string {
  const path = programs[inside];
  if (path === undefined) throw new Error(`no program ${inside}`);
  return isBoxed ? inside : path;
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
    `--${within.reservesMemory ? "data" : "as"}=${within.memoryBytesMax}`,
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

function boxOf({ inputs, outputDir, programs = {} }: Confinement): string[] {
  return [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--cap-drop",
    "ALL",
    "--uid",
    "65534",
    "--gid",
    "65534",
    "--json-status-fd",
    String(statusFd),
    "--ro-bind",
    "/usr",
    "/usr",
    "--symlink",
    "usr/lib",
    "/lib",
    "--symlink",
    "usr/lib64",
    "/lib64",
    "--ro-bind-try",
    "/etc/alternatives",
    "/etc/alternatives",
    "--ro-bind-try",
    "/etc/ld.so.cache",
    "/etc/ld.so.cache",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    ...Object.entries(programs).flatMap(([inside, path]) => ["--ro-bind", path, inside]),
    ...Object.entries(inputs).flatMap(([name, path]) => ["--ro-bind", path, `/in/${name}`]),
    ...(outputDir === undefined ? [] : ["--bind", outputDir, "/out"]),
    "--setenv",
    "PATH",
    "/usr/bin",
    "--chdir",
    "/tmp",
  ];
}

function run(
  [command = "", ...args]: string[],
  within: Confinement,
  onLine?: (line: string) => void,
): Promise<ConfinedResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ConfinedResult>();
  const child = spawn(command, args, {
    stdio: [
      within.stdin === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      isBoxed ? "pipe" : "ignore",
    ],
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
  let unread: Error | null = null;
  feed(child.stdin, within.stdin, (error) => {
    unread = error;
    end();
  });
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
    if (unread !== null) return reject(unread);
    const isStarted = !isBoxed || isEnded || code === null || status.includes('"exit-code"');
    if (!isStarted) return reject(failStart(complaint.trim()));
    if (isBoxed) fault = null;
    const stdoutBytes = Buffer.concat(chunks);
    resolve({
      exitCode: isEnded ? null : code,
      isTooLong: size > within.stdoutBytesMax,
      stdoutBytes,
      complaint,
      // Only for who reads it: as text, the bytes of a large image stop the process for a quarter of a second.
      get stdout() {
        return stdoutBytes.toString("utf8");
      },
    });
  });
  return promise;
}

/** A file or folder that is gone says nothing about the confinement. */
function failStart(reason: string): ConfinementError {
  if (!reason.includes("Can't find source path")) return failConfinement(reason);
  return new ConfinementError(`a file of the program is gone: ${reason}`);
}

/** A program may end without reading all of it. That the input cannot be read is no fault of the program. */
function feed(
  stdin: Writable | null,
  input: Buffer | string | Readable | undefined,
  fail: (error: Error) => void,
): void {
  if (stdin === null || input === undefined) return;
  pipeline(readableOf(input), stdin).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") fail(error);
  });
}

function readableOf(input: Buffer | string | Readable): Readable {
  if (typeof input === "string") return createReadStream(input);
  return Buffer.isBuffer(input) ? Readable.from([input]) : input;
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
