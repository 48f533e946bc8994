import type { Zoetrope } from "@zoetrope/sdk";
import type { Transfer } from "@zoetrope/sdk/answers";

const columns = [
  "number",
  "time",
  "kind",
  "amount",
  "credits",
  "availableCredits",
  "taskId",
  "note",
];
const entriesPerPage = 100;

/** Every entry of the statement, newest first. Told page by page; ends when the signal is aborted. */
export async function writeStatement(
  client: Zoetrope,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<Blob> {
  const lines = [columns.join(",")];
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const page = await client.ledger({ limit: entriesPerPage, cursor }, { signal });
    lines.push(...page.items.map(lineOf));
    onProgress(lines.length - 1);
    cursor = page.nextCursor;
  }
  return new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv;charset=utf-8" });
}

function lineOf(entry: Transfer): string {
  const { number, time, kind, amount, credits, availableCredits, taskId, note } = entry;
  const cells = [number, new Date(time).toISOString(), kind, amount, credits, availableCredits];
  return [...cells.map(String), text(taskId ?? ""), text(note ?? "")].join(",");
}

/** A spreadsheet would run a text that begins like a formula. */
function text(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
