import { readFileSync, readlinkSync } from "node:fs";
import { readdir, realpath, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { settings } from "../settings/settings.ts";

/** Everything that workers write below their base folder is in here; nothing else of it is ever removed. */
const markedName = "zoetrope-work";
const namePattern = /^(?<machine>[\w.]{1,64})-(?<processes>\d+)-(?<pid>\d+)-(?<startedAt>\d+)$/;
/** A folder of another machine or container that was not touched for this long is abandoned. */
const untouchedMsMax = 5 * 60_000;

/**
 * Returns this process's own folder: its name identifies the process, so that others can see whether it is
 * alive.
 */
export function workDirOf(base: string): string {
  const { machine, processes } = thisMachine();
  return join(
    base,
    markedName,
    `${machine}-${processes}-${process.pid}-${startOf(process.pid) ?? 0}`,
  );
}

/** Marks this process as alive, for processes in other namespaces. */
export async function touchWorkDir(workDir: string): Promise<void> {
  const now = new Date();
  await utimes(workDir, now, now);
}

/** Removes the folders of dead processes. Folders of live ones and everything else stay. */
export async function removeStaleWorkDirs(workDir: string): Promise<string[]> {
  const marked = dirname(workDir);
  const names = await readdir(marked).catch(() => []);
  const removed: string[] = [];
  for (const name of names) {
    if (name === basename(workDir) || !(await isStale(marked, name))) continue;
    await rm(join(marked, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

async function isStale(marked: string, name: string): Promise<boolean> {
  const owner = namePattern.exec(name)?.groups;
  if (owner === undefined) return false;
  const { machine, processes } = thisMachine();
  if (owner["machine"] === machine && owner["processes"] === processes)
    return startOf(Number(owner["pid"])) !== owner["startedAt"];
  const touched = await stat(join(marked, name)).catch(() => null);
  return touched !== null && Date.now() - touched.mtimeMs > untouchedMsMax;
}

/** A process id means something only within one boot and one process namespace. */
function thisMachine(): { machine: string; processes: string } {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
    const processes = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    return { machine: boot.slice(0, 8), processes };
  } catch {
    return {
      machine: hostname()
        .replace(/[^\w.]/g, "_")
        .slice(0, 64),
      processes: "0",
    };
  }
}

/** Returns the start time of a process in ticks since the boot; null when there is none with this id. */
function startOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null; // a name may hold anything
  } catch {
    return null;
  }
}

/** WORK_DIR and STORAGE_DIR must not contain each other. Follows links. */
export async function requireSeparateDirs(workBase: string, storageDir: string): Promise<void> {
  const [work, storage] = await Promise.all([realPathOf(workBase), realPathOf(storageDir)]);
  const isWithin = (inner: string, outer: string) => !/^\.\.(\/|$)/.test(relative(outer, inner));
  const dir = settings.worker.dir.name;
  if (isWithin(work, storage) || isWithin(storage, work))
    throw new Error(
      `${dir} (${work}) and ${settings.storage.dir.name} (${storage}) must not contain each other: set ${dir} to a folder of its own`,
    );
}

/** Resolves the part of the path that exists. */
async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch {
    return join(await realPathOf(dirname(whole)), basename(whole));
  }
}
