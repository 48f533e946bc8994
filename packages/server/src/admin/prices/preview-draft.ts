import type { Db } from "../../db/database.ts";
import { type PriceLine, priceOfLines } from "../../models/prices.ts";
import type { PriceDocument } from "../../prices/document.ts";
import { listPricedTasks, type PricedTask } from "../../prices/preview-queries.ts";
import type { AdminContext } from "../context.ts";

/** The newest tasks that a preview prices again, of all shards together. */
const tasksMax = 10_000;

export interface PreviewRow {
  model: string;
  tasks: number;
  /** What they were charged, and what they would be charged. */
  creditsBefore: number;
  creditsAfter: number;
  /** Tasks that the draft would not sell. They count in neither sum. */
  refused: number;
}

/** Prices the newest finished tasks of a book again, by another document. Test accounts are left out. */
export async function previewPrices(
  { db, otherShards }: Pick<AdminContext, "db" | "otherShards">,
  { book, document, days }: { book: string; document: PriceDocument; days: number },
): Promise<PreviewRow[]> {
  const shards: Db[] = [db, ...otherShards.map((shard) => shard.db)];
  const found = await Promise.all(
    shards.map((shard) => listPricedTasks(shard, { book, days, rowsMax: tasksMax })),
  );
  const newest = found
    .flat()
    .sort((one, other) => other.completedAt.getTime() - one.completedAt.getTime())
    .slice(0, tasksMax);
  const rows = new Map<string, PreviewRow>();
  for (const task of newest) {
    const { model } = task;
    const row = rows.get(model) ?? {
      model,
      tasks: 0,
      creditsBefore: 0,
      creditsAfter: 0,
      refused: 0,
    };
    rows.set(model, row);
    row.tasks++;
    const after = priceBy(document, task);
    if (after === null) row.refused++;
    else {
      row.creditsBefore += task.credits;
      row.creditsAfter += after;
    }
  }
  return [...rows.values()].sort((one, other) => (one.model < other.model ? -1 : 1));
}

/** Null: the document lacks a rate that the task needs. */
function priceBy(document: PriceDocument, { model, lines, discount }: PricedTask): number | null {
  const rates = document[model];
  const priced: PriceLine[] = [];
  for (const line of lines) {
    const rate = rates?.[line.key];
    if (rate === undefined) return null;
    priced.push({ ...line, rate });
  }
  return priceOfLines(model, priced, discount).credits;
}
