import { type Expression, type RawBuilder, sql } from "kysely";
import type { AccountId } from "../ids.ts";
import { isUnavailable, type SharedDb } from "./database.ts";
import { onlyRow } from "./only-row.ts";

/** The SQL on stuck_rows: rows that a loop failed at, when to try each again, and which are parked. */

const firstMs = 2_000;
const failuresMax = 10;
/** The time after which a failing row is parked: a short outage parks nothing, however often a row is tried. */
const parkedAfterMs = 10 * 60_000;
const reasonCharsMax = 500;

export interface Failed {
  key: string;
  accountId: AccountId | null;
}

/** A condition: the loop may work on the row with this key. */
export function isNotStuck(loop: string, key: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from stuck_rows where loop = ${loop} and stuck_rows.key = ${key}::text and next_try_at > now())`;
}

/**
 * Moves the next time of rows that failed on, twice as far each time, and counts the failure. Returns
 * the keys of those that are parked by it. Where no other row of the loop was a success since the
 * failure before, the cause is not in the row: that is not counted, and tried again without end.
 */
export async function countFailures(
  db: SharedDb,
  loop: string,
  rows: readonly Failed[],
  failure: { error: unknown; laterMsMax: number; succeededMsAgo: number | null },
): Promise<string[]> {
  const { error, laterMsMax, succeededMsAgo } = failure;
  const isPassing = isUnavailable(error);
  const isCounted =
    isPassing || succeededMsAgo === null
      ? sql`false`
      : sql`(stuck_rows.last_failed_at < now() - ${inMsInterval(succeededMsAgo)})`;
  const isParked = sql`(${isCounted} and stuck_rows.failures + 1 >= ${failuresMax}
    and stuck_rows.first_failed_at < now() - ${inMsInterval(parkedAfterMs)})`;
  const wait = isPassing
    ? inMsInterval(firstMs)
    : sql`least(${inMsInterval(laterMsMax)}, 2 * (stuck_rows.next_try_at - stuck_rows.last_failed_at))`;
  const { rows: parked } = await sql<{ key: string }>`
    with failed as (
      insert into stuck_rows (loop, key, account_id, failures, next_try_at, reason)
      select ${loop}, f.key, f.account_id, 1, now() + ${inMsInterval(firstMs)}, ${reasonOf(error)}
      from unnest(${rows.map(({ key }) => key)}::text[],
                  ${rows.map(({ accountId }) => accountId)}::uuid[]) as f (key, account_id)
      on conflict (loop, key) do update set
        failures = stuck_rows.failures + case when ${isCounted} then 1 else 0 end,
        last_failed_at = now(),
        reason = excluded.reason,
        parked_at = case when ${isParked} then now() end,
        next_try_at = case when ${isParked} then 'infinity' else now() + ${wait} end
      returning key, parked_at
    ) select key from failed where parked_at is not null`.execute(db);
  return parked.map(({ key }) => key);
}

function inMsInterval(ms: number): RawBuilder<unknown> {
  return sql`${ms}::float8 * interval '1 millisecond'`;
}

/** These rows were a success, or nobody wants them any more. Writes nothing where there was no failure. */
export async function forgetFailures(
  db: SharedDb,
  loop: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`delete from stuck_rows where loop = ${loop} and key = any(${[...keys]}::text[])`.execute(
    db,
  );
}

/** The rows that fail now, parked ones first, then those that fail longest. */
export async function listStuckRows(
  db: SharedDb,
  rowsMax: number,
  only?: { loop: string; key: string },
) {
  const rows = db
    .selectFrom("stuck_rows")
    .select([
      "loop",
      "key",
      "account_id as accountId",
      "failures",
      "first_failed_at as firstFailedAt",
      "parked_at as parkedAt",
      "reason",
    ])
    .orderBy(sql`parked_at is null`)
    .orderBy("first_failed_at")
    .limit(rowsMax);
  if (only === undefined) return rows.execute();
  return rows.where("loop", "=", only.loop).where("key", "=", only.key).execute();
}

/** One row of a loop, or all of them. Says how many there were. */
export async function forgetStuckRows(
  db: SharedDb,
  loop: string,
  key: string | null,
): Promise<number> {
  const ofLoop = db.deleteFrom("stuck_rows").where("loop", "=", loop);
  const filtered = key === null ? ofLoop : ofLoop.where("key", "=", key);
  const result = await filtered.executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** All failures of an account's rows. */
export async function forgetStuckRowsOf(db: SharedDb, accountId: AccountId): Promise<void> {
  await db.deleteFrom("stuck_rows").where("account_id", "=", accountId).execute();
}

/**
 * Returns the reason of an error for operators: short, on one line, and without the parts of links that
 * could be a signature or a token.
 */
export function reasonOf(error: unknown): string {
  return String(error)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/(https?:\/\/)[^\s/?#"'<>]*@/gi, "$1…@")
    .replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1?…")
    .replaceAll(/\b(whsec_|zoe_live_|zoe_test_|zoe_ops_)[\w+/=-]+/g, "$1…")
    .slice(0, reasonCharsMax);
}

const parkedMax = 10_000;

/** Returns the number of rows that wait for an operator, counted up to a bound. */
export async function countParked(db: SharedDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from stuck_rows where parked_at is not null order by loop, key limit ${parkedMax}) p`.execute(
    db,
  );
  return onlyRow(rows).count;
}
