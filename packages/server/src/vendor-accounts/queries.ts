import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";

/** The SQL of vendor accounts. */

/** Names of vendor accounts are labels of metrics. */
export const accountsMax = 50;
/** With those that are removed. */
const rowsMax = 1_000;

export type AccountRow = Awaited<ReturnType<typeof listAccounts>>[number];

/** Every account, removed ones too. `version` changes with the row. */
export async function listAccounts(db: Db) {
  return db
    .selectFrom("vendor_accounts")
    .select([
      sql<string>`xmin::text`.as("version"),
      "name",
      "kind",
      "settings",
      "credentials",
      "models",
      "weight",
      "open_jobs_max as openJobsMax",
      "credits_per_day_max as creditsPerDayMax",
      "paused_at as pausedAt",
      "removed_at as removedAt",
    ])
    .orderBy(sql`removed_at is not null`)
    .orderBy("name")
    .limit(rowsMax)
    .execute();
}

export async function findAccount(db: Db, name: string): Promise<AccountRow | undefined> {
  return (await listAccounts(db)).find((row) => row.name === name);
}

export interface NewAccount {
  name: string;
  kind: string;
  settings: Record<string, unknown>;
  credentials: string;
  models: string[] | null;
  weight: number;
  openJobsMax: number | null;
  creditsPerDayMax: number | null;
}

/** Also in the place of one that was removed. Returns whether the name was free. */
export async function insertAccount(db: Db, account: NewAccount): Promise<boolean> {
  const values = {
    kind: account.kind,
    settings: JSON.stringify(account.settings),
    credentials: account.credentials,
    models: account.models,
    weight: account.weight,
    open_jobs_max: account.openJobsMax,
    credits_per_day_max: account.creditsPerDayMax,
  };
  const made = await db
    .insertInto("vendor_accounts")
    .values({ name: account.name, ...values })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ ...values, paused_at: null, removed_at: null })
        .where("vendor_accounts.removed_at", "is not", null),
    )
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Of an account that is not removed. Returns whether there is one. */
export async function setPaused(db: Db, name: string, isPaused: boolean): Promise<boolean> {
  const result = await db
    .updateTable("vendor_accounts")
    .set({ paused_at: isPaused ? sql<Date>`coalesce(paused_at, now())` : null })
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Of an account that is not removed. Returns whether there is one. */
export async function setWeight(db: Db, name: string, weight: number): Promise<boolean> {
  const result = await db
    .updateTable("vendor_accounts")
    .set({ weight })
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Replaces credentials that are still as they were read. */
export async function replaceCredentials(
  db: Db,
  { name, from, to }: { name: string; from: string | null; to: string },
): Promise<boolean> {
  const result = await sql`
    update vendor_accounts set credentials = ${to}
    where name = ${name} and credentials is not distinct from ${from}`.execute(db);
  return changedRows(result) > 0;
}

/** No submits from now on. */
export async function markRemoved(db: Db, name: string): Promise<boolean> {
  const result = await sql`
    update vendor_accounts set removed_at = coalesce(removed_at, now()) where name = ${name}`.execute(
    db,
  );
  return changedRows(result) > 0;
}

/**
 * Deletes the credentials of removed accounts once every process knows and no task is open there.
 * `openMsMax`: for how long tasks may be open there that this database does not have.
 */
export async function forgetRemoved(db: Db, openMsMax = 0): Promise<void> {
  await sql`
    update vendor_accounts set credentials = null
    where removed_at < now() - interval '1 minute' - ${openMsMax}::float8 * interval '1 millisecond' and credentials is not null
      and not exists (select from open_tasks where vendor_account = vendor_accounts.name)`.execute(
    db,
  );
}

/** How many tasks an account works on, up to a limit. */
export async function countOpenJobs(db: Db, name: string, countMax: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from open_tasks where vendor_account = ${name} and submit_started_at is not null
      limit ${countMax}) as open`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Until the end of the transaction nobody else claims a submit to this account against its limits. */
export async function lockLimits(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`limits of vendor account ${name}`}, 0))`.execute(
    tx,
  );
}

const today = sql`date_trunc('day', now(), 'UTC')`;

/** Counts credits of today against a limit; returns whether they fit. */
export async function takeCredits(
  db: Db,
  { name, credits, creditsMax }: { name: string; credits: number; creditsMax: number },
): Promise<boolean> {
  const used = sql`case when vendor_usage.day = excluded.day then vendor_usage.credits else 0 end`;
  const taken = await sql`
    insert into vendor_usage (vendor_account, day, credits)
    select ${name}, ${today}, ${credits} where ${credits} <= ${creditsMax}::bigint
    on conflict (vendor_account) do update set
      day = excluded.day, credits = ${used} + excluded.credits
    where ${used} + excluded.credits <= ${creditsMax}::bigint`.execute(db);
  return changedRows(taken) > 0;
}

/** The vendor has proven not to have accepted. */
export async function returnCredits(db: Db, name: string, credits: number): Promise<void> {
  await sql`
    update vendor_usage set credits = greatest(0, credits - ${credits})
    where vendor_account = ${name} and day = ${today}`.execute(db);
}

/** What operators see of an account beside its settings. */
export async function readUse(db: Db, name: string) {
  const { rows } = await sql<{ creditsToday: number; failures: number; skippedUntil: Date | null }>`
    select coalesce((select credits from vendor_usage where vendor_account = ${name} and day = ${today}), 0)
             as "creditsToday",
           coalesce((select failures from vendor_pace where vendor_account = ${name}), 0) as failures,
           (select greatest(skipped_until, throttled_until) from vendor_pace
            where vendor_account = ${name} and greatest(skipped_until, throttled_until) > now())
             as "skippedUntil"`.execute(db);
  return rows[0] ?? { creditsToday: 0, failures: 0, skippedUntil: null };
}
