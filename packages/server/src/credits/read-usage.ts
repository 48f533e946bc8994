import type { Db } from "../db/database.ts";
import { invalid } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { listUsage } from "./usage-queries.ts";
import type { UsagePage, UsageQuery, UsageUnit } from "./usage-schema.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The ranges of each unit: the default without `from`, and the longest. A month is at most 31 days. */
const ranges: Record<UsageUnit, { usual: number; max: number; unitMs: number; text: string }> = {
  hour: { usual: 24, max: 31 * 24, unitMs: hourMs, text: "31 days" },
  day: { usual: 30, max: 732, unitMs: dayMs, text: "732 days" },
  month: { usual: 12, max: 60, unitMs: 31 * dayMs, text: "60 months" },
};

/** A page of an account's usage, oldest first. Reads roll-ups alone, never tasks or the ledger. */
export async function readUsage(
  db: Db,
  accountId: AccountId,
  query: UsageQuery,
): Promise<UsagePage> {
  const { by, group, limit } = query;
  const { from, to } = rangeOf(query);
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const rows = await listUsage(db, accountId, {
    by,
    group,
    from,
    to,
    after: after !== null && after.start < from ? null : after,
    rowsMax: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    by,
    group: group ?? null,
    from: from.getTime(),
    to: to.getTime(),
    items: page.map(({ start, value, name, completed, failed, credits, videoMs }) => ({
      start: start.getTime(),
      value: value === "" ? null : value,
      name,
      completed,
      failed,
      credits,
      videoSeconds: videoMs / 1000,
    })),
    nextCursor: last === undefined ? null : `${last.start.getTime()}:${last.value}`,
  };
}

function rangeOf(query: UsageQuery): { from: Date; to: Date } {
  const { usual, max, unitMs, text } = ranges[query.by];
  const to = query.to === undefined ? new Date() : readTime(query.to);
  const asked = query.from === undefined ? back(to, query.by, usual) : readTime(query.from);
  const from = startOf(asked, query.by);
  if (to <= from) throw invalid("to", "must be later than from");
  if (to.getTime() - from.getTime() > (max + 1) * unitMs)
    throw invalid("from", `must be at most ${text} before to`);
  return { from, to };
}

/** Reads a time; one before 1970, where ids begin, is read as 1970. */
function readTime(text: string): Date {
  return new Date(Math.max(0, Date.parse(text)));
}

function back(to: Date, by: UsageUnit, count: number): Date {
  if (by !== "month") return new Date(Math.max(0, to.getTime() - count * ranges[by].unitMs));
  return new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - count + 1, 1));
}

/** The beginning of the interval that contains the time, in UTC. */
function startOf(at: Date, by: UsageUnit): Date {
  if (by === "month") return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const { unitMs } = ranges[by];
  return new Date(Math.floor(at.getTime() / unitMs) * unitMs);
}

function readCursor(cursor: string): { start: Date; value: string } {
  const colon = cursor.indexOf(":");
  return { start: new Date(Number(cursor.slice(0, colon))), value: cursor.slice(colon + 1) };
}
