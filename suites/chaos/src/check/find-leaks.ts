import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Leak } from "./evidence.ts";

/** A secret, recognised by a mark that it contains. */
export interface Secret {
  /** The name for messages. */
  name: string;
  mark: string;
}

/** Searches files and folders for secrets, byte by byte. */
export async function findLeaks(roots: string[], secrets: Secret[]): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const file of (await Promise.all(roots.map(filesBelow))).flat())
    for (const secret of await secretsIn(file, secrets)) leaks.push({ secret, file });
  return leaks;
}

async function filesBelow(root: string): Promise<string[]> {
  if (!(await stat(root)).isDirectory()) return [root];
  const names = await readdir(root);
  return (await Promise.all(names.map((name) => filesBelow(join(root, name))))).flat();
}

async function secretsIn(file: string, secrets: Secret[]): Promise<Set<string>> {
  const found = new Set<string>();
  const overlapBytes = Math.max(...secrets.map(({ mark }) => Buffer.byteLength(mark))) - 1;
  let end = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([end, chunk]);
    for (const { name, mark } of secrets) if (bytes.includes(mark)) found.add(name);
    end = bytes.subarray(-overlapBytes); // a mark may lie across two chunks
  }
  return found;
}
