import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const sampleMs = 20;
const tools = ["ffprobe", "ffmpeg", "bwrap"];

/** The most memory that a process below another one ever had, seen by looking often. */
export interface ChildWatch extends AsyncDisposable {
  readonly seen: number;
  readonly residentMbMax: number;
  readonly addressMbMax: number;
}

export function watchChildren(parentPid: number): ChildWatch {
  const stopped = new AbortController();
  const pids = new Set<number>();
  const most = { residentKb: 0, addressKb: 0 };
  const look = async () => {
    for (const pid of await descendantsOf(parentPid)) {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      if (!tools.includes(/^Name:\s+(\S+)/m.exec(status)?.[1] ?? "")) continue;
      pids.add(pid);
      const kilobytes = (name: string) => Number(status.match(`${name}:\\s+(\\d+) kB`)?.[1] ?? 0);
      most.residentKb = Math.max(most.residentKb, kilobytes("VmHWM"));
      most.addressKb = Math.max(most.addressKb, kilobytes("VmPeak"));
    }
  };
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      await look();
      await delay(sampleMs);
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

/** The most that a process ever had in memory. */
export async function residentMbMax(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(status.match(/VmHWM:\s+(\d+) kB/)?.[1]) / 1024);
}

async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""),
    ),
  );
  const children = lists.flatMap((list) => list.trim().split(" ").filter(Boolean).map(Number));
  const below = await Promise.all(children.map(descendantsOf));
  return [...children, ...below.flat()];
}

/** The tools that a process runs at the moment, with what holds them. */
export async function toolsBelow(pid: number): Promise<number[]> {
  const pids = await descendantsOf(pid);
  const names = pids.map((one) => readFile(`/proc/${one}/comm`, "utf8").catch(() => ""));
  const found = await Promise.all(names);
  return pids.filter((_, place) => tools.includes((found[place] ?? "").trim()));
}

/** Tools at work on a file of this folder, whoever started them and wherever they hang now. */
export async function toolsAtWorkOn(dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const name = (await read("comm")).trim();
    if (!tools.includes(name)) continue;
    const traces = (await read("cmdline")) + (await read("mountinfo"));
    if (traces.includes(dir)) found.push(`${name} ${pid}`);
  }
  return found;
}
