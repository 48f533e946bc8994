import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Output } from "@zoetrope/sdk";
import { usageError } from "../cli-error.ts";

const extensions: Readonly<Record<string, string>> = {
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
};

export interface Named {
  taskId: string;
  model: string;
  /** The index of the file, from 1. */
  index: number;
  count: number;
  mediaType: string;
  /** The line number in a batch file. */
  line?: number | undefined;
}

/**
 * Returns the path that a template such as `out/{taskId}.{ext}` gives. Text from the service goes
 * into it without anything that could lead to another folder.
 */
export function outputPath(template: string, named: Named): string {
  const values: Record<string, string> = {
    taskId: toFileName(named.taskId),
    model: toFileName(named.model),
    index: String(named.index),
    ext: extensions[named.mediaType] ?? "bin",
  };
  if (named.line !== undefined) values["line"] = String(named.line);
  const path = template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw usageError(`--output has ${whole}, which is not known.`, `Use ${known(values)}.`);
    return value;
  });
  if (named.count === 1 || template.includes("{index}")) return path;
  return path.replace(/(\.[^./\\]*)?$/, `-${named.index}$1`); // two files never share a path
}

/** Fails before anything is paid for. */
export function checkTemplate(template: string, isBatch = false): void {
  const line = isBatch ? 1 : undefined;
  outputPath(template, { taskId: "", model: "", index: 1, count: 1, mediaType: "", line });
}

function toFileName(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "_";
}

function known(values: object): string {
  return Object.keys(values)
    .map((name) => `{${name}}`)
    .join(", ");
}

/** Writes the files of a task and returns their paths. */
export async function downloadFiles(
  template: string,
  task: { taskId: string; model: string; files: readonly Output[]; line?: number },
  signal: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [at, file] of task.files.entries()) {
    const { taskId, model, files, line } = task;
    const position = { index: at + 1, count: files.length, line };
    const path = outputPath(template, { taskId, model, mediaType: file.mediaType, ...position });
    await mkdir(dirname(path), { recursive: true });
    await file.download(path, signal);
    paths.push(path);
  }
  return paths;
}
