import { readdir, readFile } from "node:fs/promises";

/** Processes that a process has started, and theirs, without itself. Linux only, like all of this file. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readProc(pid, `task/${thread}/children`));
  const children = (await Promise.all(lists)).flatMap((list) => list.match(/\d+/g) ?? []);
  const below = await Promise.all(children.map((child) => descendantsOf(Number(child))));
  return [...children.map(Number), ...below.flat()];
}

/** The text of a file of /proc/<pid>; empty when the process is gone. */
export function readProc(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}

/** Megabytes that a process has in memory now. */
export function residentMb(pid: number): Promise<number> {
  return readMemoryMb(pid, "VmRSS");
}

/** The most megabytes that a process ever had in memory, by the kernel's own record. */
export function residentMbMax(pid: number): Promise<number> {
  return readMemoryMb(pid, "VmHWM");
}

async function readMemoryMb(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = Number(status.match(`${field}:\\s+(\\d+) kB`)?.[1]);
  if (!Number.isFinite(kilobytes)) throw new Error(`no ${field} for process ${pid}`);
  return Math.round(kilobytes / 1024);
}
