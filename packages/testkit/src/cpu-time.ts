import { readdir, readFile } from "node:fs/promises";

const ticksPerSecond = 100; // what Linux shows to programs, on every machine we know

interface Stat {
  parent: number;
  cpuMs: number;
}

/**
 * Counts from now on and returns the processor time that each process used per item of work, as
 * text. All of them are children of this one, which is the load: what they used is taken out of its
 * own.
 */
export async function startCpuCount(pids: Record<string, number>) {
  const all = { ...pids, load: process.pid };
  const before = await readCpuMs(all);
  return {
    async perItem(items: number): Promise<string> {
      const after = await readCpuMs(all);
      const used = new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
      const ofChildren = Object.keys(pids).reduce((sum, name) => sum + (used.get(name) ?? 0), 0);
      used.set("load", (used.get("load") ?? 0) - ofChildren);
      return [...used].map(([name, ms]) => `${name}=${(ms / items).toFixed(2)}`).join(" ");
    },
  };
}

/** Seconds of processor time of those children of this process that have ended. */
export async function readEndedCpuSeconds(): Promise<number> {
  const text = await readFile("/proc/self/stat", "utf8");
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** Milliseconds of processor time of each process, with its children. Linux only. */
export async function readCpuMs(pids: Record<string, number>): Promise<Map<string, number>> {
  const stats = new Map<number, Stat>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // After the name: state, parent, …; the 12th to 15th are user and system time, own and of ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    stats.set(Number(name), { parent: Number(fields[1]), cpuMs: (ticks * 1_000) / ticksPerSecond });
  }
  const withChildren = (pid: number): number => {
    let sum = stats.get(pid)?.cpuMs ?? 0;
    for (const [child, { parent }] of stats) if (parent === pid) sum += withChildren(child);
    return sum;
  };
  return new Map(Object.entries(pids).map(([name, pid]) => [name, withChildren(pid)]));
}
