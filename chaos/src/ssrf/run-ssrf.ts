import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { say } from "../say.ts";

/**
 * Runs `inside.ts` in a network of its own, where this machine owns every address there is. Nothing in
 * there can reach anything outside.
 */
export async function runSsrf(seed: number): Promise<boolean> {
  if (process.getuid?.() !== 0) {
    say("ssrf makes a network namespace and has to be root for that.");
    return false;
  }
  const inside = fileURLToPath(new URL("inside.ts", import.meta.url));
  const args = ["--net", "--mount", "--", process.execPath, inside, String(seed)];
  const child = spawn("unshare", args, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}
