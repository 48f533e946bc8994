import { type Expression, type RawBuilder, sql } from "kysely";
import { DatabaseError } from "pg";
import type { Db } from "./database.ts";

/** The SQL on stuck_rows: rows that a loop failed at, when to try each again, and which are parked. */

const firstMs = 2_000;
const failuresMax = 10;
/** A short trouble parks nothing, however often a row was tried in it. */
const parkedAfterMs = 10 * 60_000;
const reasonCharsMax = 500;

export interface Failed {
  key: string;
  accountId: string | null;
}

/** A condition: the loop may work on the row with this key. */
export function isNotStuck(loop: string, key: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from stuck_rows where loop = ${loop} and stuck_rows.key = ${key}::text and next_try_at > now())`;
}

/**
 * Counts a failure of rows and moves their next time on, twice as far each time. Answers the keys of
 * those that are parked by it. Where no other row of the loop was a success since the first failure,
 * the cause is not in the row: then it is tried again without end.
 */
export async function countFailures(
  db: Db,
  loop: string,
  rows: readonly Failed[],
  failure: { error: unknown; laterMsMax: number; succeededMsAgo: number | null },
): Promise<string[]> {
  const { error, laterMsMax, succeededMsAgo } = failure;
  const isPassing = isPassingTrouble(error);
  const later = (failures: RawBuilder<unknown>) =>
    sql`now() + least(${laterMsMax}::float8, ${firstMs} * power(2, least(${failures}, 20))) * interval '1 millisecond'`;
  const counted = sql`stuck_rows.failures + ${isPassing ? 0 : 1}`;
  const isParked = sql`(${!isPassing && succeededMsAgo !== null}
    and stuck_rows.failures + 1 >= ${failuresMax}
    and stuck_rows.first_failed_at < now() - ${parkedAfterMs} * interval '1 millisecond'
    and stuck_rows.first_failed_at < now() - ${succeededMsAgo ?? 0}::float8 * interval '1 millisecond')`;
  const { rows: parked } = await sql<{ key: string }>`
    with failed as (
      insert into stuck_rows (loop, key, account_id, failures, next_try_at, reason)
      select ${loop}, f.key, f.account_id, 1, ${later(sql`0`)}, ${reasonOf(error)}
      from unnest(${rows.map(({ key }) => key)}::text[],
                  ${rows.map(({ accountId }) => accountId)}::uuid[]) as f (key, account_id)
      on conflict (loop, key) do update set
        failures = least(${counted}, 1000000),
        last_failed_at = now(),
        reason = excluded.reason,
        parked_at = case when ${isParked} then now() end,
        next_try_at = case when ${isParked} then 'infinity'
                      else ${isPassing ? sql`excluded.next_try_at` : later(sql`stuck_rows.failures`)} end
      returning key, parked_at
    ) select key from failed where parked_at is not null`.execute(db);
  return parked.map(({ key }) => key);
}

/** These rows were a success, or nobody wants them any more. Writes nothing where there was no failure. */
export async function forgetFailures(db: Db, loop: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`delete from stuck_rows where loop = ${loop} and key = any(${[...keys]}::text[])`.execute(
    db,
  );
}

/** The rows that fail now, parked ones first, then those that fail longest. */
export async function listStuckRows(db: Db, rowsMax: number) {
  return db
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
    .limit(rowsMax)
    .execute();
}

/** Says whether there was such a row. */
export async function forgetStuckRow(db: Db, loop: string, key: string): Promise<boolean> {
  const result = await db
    .deleteFrom("stuck_rows")
    .where("loop", "=", loop)
    .where("key", "=", key)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Waiting for a lock, a deadlock, or a database or network that is away: no fault of any row. */
export function isPassingTrouble(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(08|40|53|57|58|55P03)/.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(
      error.message,
    )
  );
}

/** For operators: short, on one line, and of links nothing that could be a signature or a token. */
export function reasonOf(error: unknown): string {
  return String(error)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/(https?:\/\/)[^\s/?#"'<>]*@/gi, "$1…@")
    .replaceAll(/(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1?…")
    .replaceAll(/\b(whsec_|zoe_live_|zoe_test_)[\w+/=-]+/g, "$1…")
    .slice(0, reasonCharsMax);
}
