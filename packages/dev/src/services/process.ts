import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { childEnv, withPrivileges } from "./command-line.ts";
import { waitUntil } from "./wait-until.ts";

/** Polled until true; `readLog` gives what this run has printed so far. */
export type ReadyProbe = (readLog: () => Promise<string>) => Promise<boolean>;

export interface ProcessSpec {
  /** The name of the process in messages. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string | undefined;
  /**
   * The variables that the child sees besides PATH, HOME, LANG, LC_ALL, TZ, TMPDIR and
   * NODE_COMPILE_CACHE.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Only when we are root. */
  readonly user?: string | undefined;
  /** stdout and stderr, appended; restarts share the file. */
  readonly logFile: string;
  readonly isReady: ReadyProbe;
  readonly readyTimeoutMs?: number;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopGraceMs?: number | undefined;
  readonly parentDeathSignal?: NodeJS.Signals;
  /** Runs before every start, also before those of `restart`. */
  readonly beforeStart?: () => Promise<void>;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess extends AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  /** The process id of the current run; it changes with `restart`. */
  readonly pid: number;
  /** Settles when the current run ends, for whatever reason. */
  readonly exited: Promise<ProcessExit>;
  /** Politely, then SIGKILL after the grace time. Harmless when it has ended already. */
  stop(): Promise<void>;
  /** SIGKILL at once, as a crash would. Returns when the process is gone. */
  kill(): Promise<void>;
  /** Stops it if it still runs, then starts it with the same arguments and waits until ready. */
  restart(): Promise<void>;
}

interface Run {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly logStartBytes: number;
  readonly exited: Promise<ProcessExit>;
}

/** Only what hangs reaches it: on a busy machine a start takes several times as long. */
const readyMsMax = 180_000;
/** Asking takes processor time that the program needs for its start. */
const readyEveryMs = 100;
const LOG_TAIL_LINES = 30;
const LOG_READ_BYTES_MAX = 256 * 1024;

/**
 * Starts a program and returns when it is ready; if it is not in time, or ends before, it is gone
 * when the error, which carries the end of its log, arrives.
 *
 * The child leads a process group of its own: Ctrl-C in a terminal reaches only us, so the order of
 * stopping is ours, and what a child leaves running in its group ends with it.
 *
 * Children do not outlive us. On a normal exit or an uncaught error our exit hook signals them. If
 * we are killed outright, the kernel does (PR_SET_PDEATHSIG): on Linux with `setpriv`, for the child
 * itself and not for its children, and not within the millisecond before setpriv has run.
 * Elsewhere than on Linux a SIGKILL of ours leaves them behind.
 */
export async function startProcess(spec: ProcessSpec): Promise<RunningProcess> {
  let run = await launchUntilReady(spec);
  // One operation after the other: a stop during a restart must stop what the restart started.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (operation: () => Promise<void>): Promise<void> => {
    const next = last.then(operation);
    last = next.catch(() => undefined);
    return next;
  };
  const stop = () => inTurn(() => stopRun(spec, run));
  return {
    name: spec.name,
    logFile: spec.logFile,
    get pid() {
      return run.pid;
    },
    get exited() {
      return run.exited;
    },
    stop,
    kill: () => inTurn(() => killRun(run)),
    restart: () =>
      inTurn(async () => {
        await stopRun(spec, run);
        run = await launchUntilReady(spec);
      }),
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns a probe that succeeds when the URL responds with a 2xx. */
export function answersHttp(url: string): ReadyProbe {
  return async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  };
}

/** Ready when stdout or stderr of this run matches. */
export function printsLine(pattern: RegExp): ReadyProbe {
  return async (readLog) => pattern.test(await readLog());
}

async function launchUntilReady(spec: ProcessSpec): Promise<Run> {
  await spec.beforeStart?.();
  const run = await launch(spec);
  const polling = new AbortController();
  const readLog = () => readLogFrom(spec.logFile, run.logStartBytes);
  try {
    await Promise.race([
      waitUntil(`${spec.name} is ready`, () => spec.isReady(readLog), {
        timeoutMs: spec.readyTimeoutMs ?? readyMsMax,
        intervalMs: readyEveryMs,
        signal: polling.signal,
      }),
      run.exited.then((exit) => {
        throw new Error(`${spec.name} ended (${exit.signal ?? exit.code}) before it was ready`);
      }),
    ]);
  } catch (error) {
    await killRun(run);
    const lines = (await readLog()).trimEnd().split("\n").slice(-LOG_TAIL_LINES).join("\n");
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\nend of ${spec.logFile}:\n${lines}`, { cause: error });
  } finally {
    polling.abort();
  }
  return run;
}

async function launch(spec: ProcessSpec): Promise<Run> {
  const parentDeathSignal = spec.parentDeathSignal ?? "SIGKILL";
  const { command, args } = await withPrivileges(spec.command, spec.args ?? [], {
    parentDeathSignal,
    user: spec.user,
  });
  await mkdir(dirname(spec.logFile), { recursive: true });
  const log = await open(spec.logFile, "a");
  try {
    const logStartBytes = (await log.stat()).size;
    const child = spawn(command, args, {
      cwd: spec.cwd,
      env: childEnv(spec.env),
      detached: true,
      // A file, not a pipe: the child neither blocks on us nor loses its last output with us.
      stdio: ["ignore", log.fd, log.fd],
    });
    const { pid } = child;
    if (pid === undefined) throw await spawnError(child, spec);
    return { child, pid, logStartBytes, exited: whenExited(child, pid, parentDeathSignal) };
  } finally {
    await log.close();
  }
}

function spawnError(child: ChildProcess, spec: ProcessSpec): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", (cause) => {
      resolve(new Error(`${spec.name} could not be started: ${cause.message}`, { cause }));
    });
  });
}

const liveGroups = new Map<number, NodeJS.Signals>();

function whenExited(child: ChildProcess, pid: number, signal: NodeJS.Signals) {
  if (!process.listeners("exit").includes(signalLiveGroups)) process.on("exit", signalLiveGroups);
  liveGroups.set(pid, signal);
  return new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, exitSignal) => {
      liveGroups.delete(pid);
      // In the same tick as the reaping: later the number could belong to somebody else.
      signalGroup(pid, "SIGKILL");
      resolve({ code, signal: exitSignal });
    });
  });
}

function signalLiveGroups(): void {
  for (const [pid, signal] of liveGroups) signalGroup(pid, signal);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left in the group, which is what we want.
  }
}

async function stopRun(spec: ProcessSpec, run: Run): Promise<void> {
  run.child.kill(spec.stopSignal ?? "SIGTERM"); // does nothing once the child was reaped
  const killTimer = setTimeout(() => run.child.kill("SIGKILL"), spec.stopGraceMs ?? 10_000);
  await run.exited;
  clearTimeout(killTimer);
}

async function killRun(run: Run): Promise<void> {
  run.child.kill("SIGKILL");
  await run.exited;
}

/** The end of what was printed since `startBytes`. */
async function readLogFrom(logFile: string, startBytes: number): Promise<string> {
  const log = await open(logFile, "r");
  try {
    const { size } = await log.stat();
    const from = Math.max(startBytes, size - LOG_READ_BYTES_MAX);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await log.close();
  }
}
