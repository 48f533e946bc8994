import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";

const execFileAsync = promisify(execFile);

/** Runs a program in a folder to its end and returns its output; an error has what it printed. */
export async function runIn(
  cwd: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const options = { cwd, env: childEnv(), maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execFileAsync(program, [...args], options).catch((error) => {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}
