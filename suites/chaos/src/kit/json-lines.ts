import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A log of one JSON object per line. A line is in the file before `write` returns. */
export interface LineLog<Line> {
  write(line: Line): void;
  close(): void;
}

export function openLineLog<Line>(path: string): LineLog<Line> {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "a");
  return {
    write: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

export async function readLines<Line>(path: string): Promise<Line[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
