import { descendantsOf } from "@zoetrope/testkit/process-tree.ts";

/**
 * Stops a process and all it has started, as a hung machine would: connections stay open and nobody
 * responds.
 */
export async function freeze(pid: number): Promise<Frozen> {
  const pids = [pid, ...(await descendantsOf(pid))];
  for (const each of pids) signal(each, "SIGSTOP");
  return {
    thaw() {
      for (const each of pids) signal(each, "SIGCONT");
    },
  };
}

export interface Frozen {
  thaw(): void;
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // ESRCH: it has ended in the meantime.
  }
}
