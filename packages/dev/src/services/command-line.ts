import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { platform } from "node:process";
import { promisify } from "node:util";
import { findOnPath, findPrograms } from "./find-program.ts";
import { ownEnv } from "./own-env.ts";

const execFileAsync = promisify(execFile);

// All that a child sees of our environment. A developer's RUST_BACKTRACE, RESTATE_*, PG* or proxy
// settings must not change what the parts do; where Node keeps compiled code changes only how fast it starts.
const INHERITED = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "NODE_COMPILE_CACHE"];

export function childEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = ownEnv(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...extra };
}

interface Privileges {
  /** Runs as this user and its group; only root can ask for it. */
  readonly user?: string | undefined;
  /** Sent by the kernel (Linux) when the thread that started the child ends. */
  readonly parentDeathSignal?: NodeJS.Signals;
}

/**
 * Puts `setpriv` in front where it is needed. It replaces itself with the program, so the pid that
 * we see is the program's own.
 */
export async function withPrivileges(
  command: string,
  args: readonly string[],
  { user, parentDeathSignal }: Privileges,
): Promise<{ command: string; args: string[] }> {
  const setpriv = platform === "linux" ? await findOnPath("setpriv") : undefined;
  if (setpriv === undefined) {
    if (user !== undefined) await findPrograms(["setpriv"]);
    return { command, args: [...args] };
  }
  const flags = [
    ...(user === undefined ? [] : await userFlags(user)),
    ...(parentDeathSignal === undefined ? [] : ["--pdeathsig", parentDeathSignal]),
  ];
  if (flags.length === 0) return { command, args: [...args] };
  return { command: setpriv, args: [...flags, "--", command, ...args] };
}

/**
 * Returns the flags that name the user and its group by number, because the group need not have the
 * user's name (nobody and nogroup).
 */
async function userFlags(user: string): Promise<string[]> {
  const users = await readFile("/etc/passwd", "utf8");
  const entry = users.split("\n").find((line) => line.startsWith(`${user}:`));
  const [, , uid, gid] = entry?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${user}`);
  return ["--reuid", uid, "--regid", gid, "--clear-groups"];
}

interface CommandOptions {
  readonly user?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs a short command to its end and gives its stdout; an error carries its stderr. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { user, cwd, env = {}, timeoutMs = 180_000 }: CommandOptions = {},
): Promise<string> {
  const line = await withPrivileges(command, args, { user });
  const { stdout } = await execFileAsync(line.command, line.args, {
    cwd,
    env: childEnv(env),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  return stdout;
}
