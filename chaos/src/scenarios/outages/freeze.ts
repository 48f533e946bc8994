import { readFile } from "node:fs/promises";

/** Stops a process and all it has started, as a hung machine would: connections stay open and nobody answers. */
export async function freeze(pid: number): Promise<Frozen> {
  const pids = await descendantsOf(pid);
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

async function descendantsOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const children = text.split(" ").filter((part) => part.trim() !== "");
  const below = await Promise.all(children.map((child) => descendantsOf(Number(child))));
  return [pid, ...below.flat()];
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // ESRCH: it has ended in the meantime.
  }
}
