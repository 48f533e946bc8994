import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { print } from "@zoetrope/testkit/print.ts";

export function runSsrf(seed: number): Promise<boolean> {
  return runInside("ssrf", String(seed));
}

/** Whether each clause of the guard is needed. */
export function runGuards(): Promise<boolean> {
  return runInside("guards");
}

/**
 * Runs `inside.ts` in a network of its own, where this machine owns every address there is. Nothing in
 * there can reach anything outside.
 */
async function runInside(...args: string[]): Promise<boolean> {
  if (process.getuid?.() !== 0) {
    print(`${args[0]} makes a network namespace and has to be root for that.`);
    return false;
  }
  const inside = fileURLToPath(new URL("inside.ts", import.meta.url));
  const line = ["--net", "--mount", "--", process.execPath, inside, ...args];
  const child = spawn("unshare", line, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}
