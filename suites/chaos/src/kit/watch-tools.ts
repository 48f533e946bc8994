import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { descendantsOf, readProc } from "@zoetrope/testkit/process-tree.ts";

const sampleMs = 20;
const tools = ["ffprobe", "ffmpeg", "bwrap"];

/** The most memory that a tool below a process ever had, by frequent samples. */
export interface ToolWatch extends AsyncDisposable {
  readonly seen: number;
  readonly residentMbMax: number;
  readonly addressMbMax: number;
}

export function watchTools(parentPid: number): ToolWatch {
  const stopped = new AbortController();
  const pids = new Set<number>();
  const most = { residentKb: 0, addressKb: 0 };
  const sample = async () => {
    for (const pid of await descendantsOf(parentPid)) {
      const status = await readProc(pid, "status");
      if (!tools.includes(/^Name:\s+(\S+)/m.exec(status)?.[1] ?? "")) continue;
      pids.add(pid);
      const kilobytes = (name: string) => Number(status.match(`${name}:\\s+(\\d+) kB`)?.[1] ?? 0);
      most.residentKb = Math.max(most.residentKb, kilobytes("VmHWM"));
      most.addressKb = Math.max(most.addressKb, kilobytes("VmPeak"));
    }
  };
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      await sample();
      await pause(sampleMs);
    }
  })();
  return {
    get seen() {
      return pids.size;
    },
    get residentMbMax() {
      return Math.round(most.residentKb / 1024);
    },
    get addressMbMax() {
      return Math.round(most.addressKb / 1024);
    },
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await watching;
    },
  };
}

/** The tools that run below a process at the moment, bubblewrap included. */
export async function toolsBelow(pid: number): Promise<number[]> {
  const pids = await descendantsOf(pid);
  const names = await Promise.all(pids.map((one) => readProc(one, "comm")));
  return pids.filter((_, index) => tools.includes(names[index]?.trim() ?? ""));
}

/**
 * Returns the tools that work on a file of this folder, whoever started them and whoever their
 * parent is now.
 */
export async function toolsAtWorkOn(dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).map(Number).filter(Number.isInteger)) {
    const name = (await readProc(pid, "comm")).trim();
    if (!tools.includes(name)) continue;
    const traces = (await readProc(pid, "cmdline")) + (await readProc(pid, "mountinfo"));
    if (traces.includes(dir)) found.push(`${name} ${pid}`);
  }
  return found;
}
