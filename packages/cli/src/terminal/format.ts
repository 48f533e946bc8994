import { cleanText } from "./clean-text.ts";
import { onStdout } from "./talk.ts";

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** Formats a time in local time, to the second. */
export function formatTime(time: number | string | null): string {
  if (time === null) return "";
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export type Cell = string | number | null | undefined;

/** Columns as wide as their widest cell. Cells are a service's words: control characters are removed. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => cleanText(String(cell ?? ""))));
  const widths = head.map((title, at) =>
    Math.max(title.length, ...texts.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return [onStdout("dim", line(head)), ...texts.map(line)];
}
