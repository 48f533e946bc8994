import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** A file that other files refer to and nobody may read. */
export interface CanaryFile {
  readonly path: string;
  /** Reading sets the time of the last access, which was made older than the last change for that. */
  isUnread(): Promise<boolean>;
  /** Reads it, to know that reading would have shown: not every file system keeps that time. */
  wouldShow(): Promise<boolean>;
}

const longAgo = new Date("2001-01-01T00:00:00Z");

export async function plantCanary(path: string, bytes: Buffer): Promise<CanaryFile> {
  await writeFile(path, bytes);
  await utimes(path, longAgo, new Date());
  const isUnread = async () => (await stat(path)).atimeMs === longAgo.getTime();
  return {
    path,
    isUnread,
    async wouldShow() {
      await readFile(path);
      return !(await isUnread());
    },
  };
}

/** The content of places where a careless tool leaves files: the working folder, the home, the root. */
export async function listOutside(): Promise<Set<string>> {
  const folders = [process.cwd(), homedir(), "/", "/var/tmp"];
  const lists = folders.map(async (folder) =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name)),
  );
  return new Set((await Promise.all(lists)).flat());
}
