import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";
import { type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";

const run = promisify(execFile);
const examplesDir = fileURLToPath(new URL("../", import.meta.url));
const printMsMax = 180_000;

export type Settings = Readonly<Record<string, string>>;

interface Place {
  readonly cwd: string;
  readonly env: Settings;
}

/** Runs an example to its end in the given folder, as a reader would; gives what it printed. */
export function runExample(name: string, args: readonly string[], place: Place): Promise<string> {
  return runProgram(process.execPath, [join(examplesDir, name), ...args], place);
}

export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: Place,
): Promise<string> {
  const { stdout } = await run(command, args, { cwd, env: childEnv(env) });
  return stdout;
}

export interface RunningReceiver extends AsyncDisposable {
  readonly url: string;
  /** Returns the lines that it printed after its address. */
  lines(): Promise<string[]>;
  printed(line: string): Promise<void>;
}

/** Starts a receiver on a free port; its address is in the first line with one. */
export async function startReceiverProgram(program: {
  command: string;
  args: readonly string[];
  dir: string;
  env: Settings;
}): Promise<RunningReceiver> {
  const { command, dir, env } = program;
  const args = program.args.map((arg) => arg.replace(/^examples\//, examplesDir));
  const logFile = join(dir, `${args.join(" ").replaceAll(/[^\w]+/g, "-")}.log`);
  const running: RunningProcess = await startProcess({
    name: args[0] ?? command,
    command,
    args,
    cwd: join(examplesDir, "webhooks"),
    env,
    logFile,
    isReady: async (readLog) => addressIn(await readLog()) !== undefined,
    parentDeathSignal: "SIGKILL",
  });
  const lines = async () =>
    (await readFile(logFile, "utf8")).split("\n").map((line) => line.trim());
  const printed = (line: string) =>
    waitUntil(`it printed ${line}`, async () => (await lines()).includes(line), {
      timeoutMs: printMsMax,
    });
  const url = addressIn(await readFile(logFile, "utf8")) ?? "";
  return { url, lines, printed, [Symbol.asyncDispose]: () => running.stop() };
}

function addressIn(text: string): string | undefined {
  return /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
}
