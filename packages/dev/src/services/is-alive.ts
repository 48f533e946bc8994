import { readFileSync } from "node:fs";

/**
 * Whether a process with this number exists and is ours to signal. One that has ended and only
 * waits to be reaped (an orphan, until init gets round to it) is not alive.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // "pid (name) state …"; the name may contain anything, so look after its closing bracket.
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(status.slice(status.lastIndexOf(")") + 2));
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
