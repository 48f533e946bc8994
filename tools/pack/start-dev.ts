import { spawn } from "node:child_process";
import { once } from "node:events";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";

const startMsMax = 600_000;

/** `zoetrope dev` in a separate shell. */
export interface DevTerminal extends AsyncDisposable {
  /** The text that it has printed so far. */
  readonly text: string;
  /** Seconds until it was ready. */
  readonly startS: number;
  /** Sends Ctrl-C and returns the exit code. */
  interrupt(): Promise<number | null>;
}

/** Types the command in `app` and waits until it says that everything runs. */
export async function startDev(command: string, app: string): Promise<DevTerminal> {
  const startedAt = performance.now();
  // A process group of its own, so that it can be sent what Ctrl-C sends: a signal to all of them.
  const shell = spawn("bash", ["-c", command], { cwd: app, detached: true });
  let text = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
  const isOver = () => shell.exitCode !== null || shell.signalCode !== null;
  const interrupt = async () => {
    if (!isOver() && shell.pid !== undefined) {
      process.kill(-shell.pid, "SIGINT");
      await once(shell, "close");
    }
    return shell.exitCode;
  };
  try {
    await waitUntil(`${command} is ready`, () => isOver() || text.includes("Zoetrope is running"), {
      timeoutMs: startMsMax,
    });
    if (isOver()) throw new Error(`${command} has ended:\n${text}`);
  } catch (error) {
    await interrupt();
    throw error;
  }
  const startS = (performance.now() - startedAt) / 1_000;
  return {
    get text() {
      return text;
    },
    startS,
    interrupt,
    [Symbol.asyncDispose]: async () => void (await interrupt()),
  };
}
