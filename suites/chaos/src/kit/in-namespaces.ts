import { spawn } from "node:child_process";
import { once } from "node:events";
import { print } from "@zoetrope/testkit/print.ts";

/**
 * Runs a program in separate network and mount namespaces: nothing in there can reach anything
 * outside, and what it mounts is gone with it.
 */
export async function runInNamespaces(
  name: string,
  program: string,
  args: readonly string[],
): Promise<boolean> {
  if (process.getuid?.() !== 0) {
    print(`${name} makes a network namespace and has to be root for that.`);
    return false;
  }
  const line = ["--net", "--mount", "--", process.execPath, program, ...args];
  const child = spawn("unshare", line, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}
