import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { childEnv } from "@zoetrope/dev/services/command-line.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A person at a machine: their home folder and the variables that their shell exports. */
export interface Person {
  home: string;
  env: Readonly<Record<string, string>>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export function startCli(
  person: Person,
  args: readonly string[],
  { stdin = "", program = [process.execPath, main] }: { stdin?: string; program?: string[] } = {},
): Running {
  const [command = "", ...before] = program;
  const child = spawn(command, [...before, ...args], {
    cwd: person.home,
    env: envOf(person),
    stdio: "pipe",
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const stdout = () => out.join("");
  const stderr = () => err.join("");
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    stdout: stdout(),
    stderr: stderr(),
  }));
  return { child, stdout, stderr, ended };
}

/** Nothing of the machine that runs the tests but its programs. */
function envOf({ home, env }: Person): Record<string, string> {
  const { PATH = "" } = childEnv({});
  return {
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_CACHE_HOME: join(home, "cache"),
    ZOETROPE_KEYCHAIN: "off",
    ...env,
  };
}

export async function openHome(dir: string, name: string): Promise<string> {
  const home = join(dir, name);
  await mkdir(home, { recursive: true });
  return home;
}

export function runCli(person: Person, args: readonly string[], stdin = ""): Promise<Ended> {
  return startCli(person, args, { stdin }).ended;
}

export const mainFile = main;
