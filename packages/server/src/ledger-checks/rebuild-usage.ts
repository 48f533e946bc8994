import { lockAccountHere } from "../accounts/queries.ts";
import {
  replaceUsage,
  type StoredUnit,
  sumUsage,
  type UsageRow,
} from "../credits/usage-queries.ts";
import { type Db, inTransaction, type Tx } from "../db/database.ts";
import type { AccountId } from "../ids.ts";
import { listSettlements, listUsers, type Settlement } from "../tasks/settlement-queries.ts";

const accountsMax = 500;
const settlementsMax = 2_000;
const hourMs = 60 * 60 * 1000;
const unitMs: Record<StoredUnit, number> = { hour: hourMs, day: 24 * hourMs };
/** Transfers are in the order of commits, and their time is when they began: none is this much older. */
const lateMsMax = 24 * hourMs;

/** The rows of an interval, by their other columns. */
type Interval = { unit: StoredUnit; start: Date; rows: Map<string, UsageRow> };
type Intervals = Map<string, Interval>;

/**
 * Makes the usage of every account equal to its ledger: intervals whose sums differ are written anew from
 * the settlements, all others stay. For tasks that ended before usage was recorded. Safe to repeat and to
 * interrupt. An account is locked for what ended in about two days at a time.
 */
export async function rebuildUsage(db: Db): Promise<{ accounts: number; intervals: number }> {
  const rebuilt = { accounts: 0, intervals: 0 };
  let after: AccountId | null = null;
  for (;;) {
    const accounts: AccountId[] = await listUsers(db, after, accountsMax);
    for (const accountId of accounts) rebuilt.intervals += await rebuildAccount(db, accountId);
    rebuilt.accounts += accounts.length;
    after = accounts.at(-1) ?? null;
    if (accounts.length < accountsMax) return rebuilt;
  }
}

async function rebuildAccount(db: Db, accountId: AccountId): Promise<number> {
  let changed = 0;
  let after = 0;
  const intervals: Intervals = new Map();
  for (;;) {
    const settlements = await listSettlements(db, accountId, after, settlementsMax);
    addTo(intervals, settlements);
    const last = settlements.at(-1);
    after = last?.number ?? after;
    if (last === undefined || settlements.length < settlementsMax) break;
    const past = takePast(intervals, new Date(last.at.getTime() - lateMsMax));
    changed += await inTransaction(db, (tx) => correct(tx, accountId, past));
  }
  return changed + (await inTransaction(db, (tx) => correctRest(tx, accountId, intervals, after)));
}

/** The last intervals, with what ended since they were read; nothing can end while the account is locked. */
async function correctRest(
  tx: Tx,
  accountId: AccountId,
  read: Intervals,
  after: number,
): Promise<number> {
  if ((await lockAccountHere(tx, accountId)) === undefined) return 0;
  const intervals = structuredClone(read); // the transaction may run twice
  for (let last = after; ; ) {
    const settlements = await listSettlements(tx, accountId, last, settlementsMax);
    addTo(intervals, settlements);
    last = settlements.at(-1)?.number ?? last;
    if (settlements.length < settlementsMax) break;
  }
  return correct(tx, accountId, intervals);
}

/** Returns how many intervals were different. */
async function correct(tx: Tx, accountId: AccountId, intervals: Intervals): Promise<number> {
  if ((await lockAccountHere(tx, accountId)) === undefined) return 0; // closed meanwhile
  let changed = 0;
  for (const unit of Object.keys(unitMs) as StoredUnit[]) {
    const ofUnit = [...intervals.values()].filter((interval) => interval.unit === unit);
    const starts = ofUnit.map(({ start }) => start);
    const recorded = Map.groupBy(await sumUsage(tx, accountId, unit, starts), ({ start }) =>
      start.getTime(),
    );
    for (const { start, rows } of ofUnit) {
      const written = [...rows.values()];
      if (totalOf(written) === totalOf(recorded.get(start.getTime()) ?? [])) continue;
      await replaceUsage(tx, accountId, unit, start, written);
      changed += 1;
    }
  }
  return changed;
}

function addTo(intervals: Intervals, settlements: readonly Settlement[]): void {
  for (const settlement of settlements)
    for (const unit of Object.keys(unitMs) as StoredUnit[]) {
      const ms = Math.floor(settlement.at.getTime() / unitMs[unit]) * unitMs[unit];
      const name = `${unit} ${ms}`;
      const interval = intervals.get(name) ?? { unit, start: new Date(ms), rows: new Map() };
      intervals.set(name, interval);
      addRow(interval, settlement);
    }
}

function addRow({ start, rows }: Interval, settlement: Settlement): void {
  const { kind, model, keyId, status, credits, videoMs } = settlement;
  const name = JSON.stringify([kind, model, keyId, status]);
  const row = rows.get(name);
  if (row === undefined)
    rows.set(name, {
      start,
      kind,
      model,
      keyId,
      status,
      tasks: 1,
      credits,
      videoMs,
    });
  else {
    row.tasks += 1;
    row.credits += credits;
    row.videoMs += videoMs;
  }
}

/** Removes and returns the intervals that ended before a time. */
function takePast(intervals: Intervals, before: Date): Intervals {
  const past: Intervals = new Map();
  for (const [name, interval] of intervals)
    if (interval.start.getTime() + unitMs[interval.unit] <= before.getTime()) {
      past.set(name, interval);
      intervals.delete(name);
    }
  return past;
}

type Counted = Pick<UsageRow, "status" | "tasks" | "credits">;

function totalOf(rows: readonly Counted[]): string {
  let [completed, failed, credits] = [0, 0, 0];
  for (const row of rows) {
    if (row.status === "COMPLETED") completed += row.tasks;
    else failed += row.tasks;
    credits += row.credits;
  }
  return `${completed} ${failed} ${credits}`;
}
