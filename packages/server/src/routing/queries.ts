import { sql } from "kysely";
import type { Db, DirectoryDb, FirstShardDb, SharedTx } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";

/** The SQL of vendor accounts. */

/** Names of vendor accounts are labels of metrics. */
export const vendorAccountsMax = 50;
/** The maximum number of accounts, including those that are removed. */
const rowsMax = 1_000;

export type VendorAccountRow = Awaited<ReturnType<typeof listVendorAccounts>>[number];

/** Every account, removed ones too. `version` changes with the row. */
export async function listVendorAccounts(db: DirectoryDb) {
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

export async function findVendorAccount(
  db: DirectoryDb,
  name: string,
): Promise<VendorAccountRow | undefined> {
  return (await listVendorAccounts(db)).find((row) => row.name === name);
}

export interface NewVendorAccount {
  name: string;
  kind: string;
  settings: Record<string, unknown>;
  credentials: string;
  models: string[] | null;
  weight: number;
  openJobsMax: number | null;
  creditsPerDayMax: number | null;
}

/** Inserts an account, also in the place of one that was removed. Returns whether the name was free. */
export async function insertVendorAccount(
  db: DirectoryDb,
  vendorAccount: NewVendorAccount,
): Promise<boolean> {
  const values = {
    kind: vendorAccount.kind,
    settings: JSON.stringify(vendorAccount.settings),
    credentials: vendorAccount.credentials,
    models: vendorAccount.models,
    weight: vendorAccount.weight,
    open_jobs_max: vendorAccount.openJobsMax,
    credits_per_day_max: vendorAccount.creditsPerDayMax,
  };
  const made = await db
    .insertInto("vendor_accounts")
    .values({ name: vendorAccount.name, ...values })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ ...values, paused_at: null, removed_at: null })
        .where("vendor_accounts.removed_at", "is not", null),
    )
    .executeTakeFirst();
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Pauses or resumes an account that is not removed. Returns whether there is one. */
export async function setPaused(
  db: DirectoryDb,
  name: string,
  isPaused: boolean,
): Promise<boolean> {
  const result = await db
    .updateTable("vendor_accounts")
    .set({ paused_at: isPaused ? sql<Date>`coalesce(paused_at, now())` : null })
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Sets the weight of an account that is not removed. Returns whether there is one. */
export async function setWeight(db: DirectoryDb, name: string, weight: number): Promise<boolean> {
  const result = await db
    .updateTable("vendor_accounts")
    .set({ weight })
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Sets the limits of an account that is not removed. Undefined values stay; null: no limit. */
export async function setLimits(
  db: DirectoryDb,
  name: string,
  limits: VendorLimits,
): Promise<void> {
  const { openJobsMax, creditsPerDayMax } = limits;
  await db
    .updateTable("vendor_accounts")
    .set({
      open_jobs_max: openJobsMax,
      credits_per_day_max: creditsPerDayMax,
    })
    .where("name", "=", name)
    .where("removed_at", "is", null)
    .execute();
}

export interface VendorLimits {
  openJobsMax?: number | null;
  creditsPerDayMax?: number | null;
}

/** Replaces credentials that are still as they were read. */
export async function replaceCredentials(
  db: DirectoryDb,
  { name, from, to }: { name: string; from: string | null; to: string },
): Promise<boolean> {
  const result = await sql`
    update vendor_accounts set credentials = ${to}
    where name = ${name} and credentials is not distinct from ${from}`.execute(db);
  return changedRows(result) > 0;
}

/** No submits from now on. */
export async function markRemoved(db: DirectoryDb, name: string): Promise<boolean> {
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
export async function forgetRemoved(db: FirstShardDb, openMsMax = 0): Promise<void> {
  await sql`
    update vendor_accounts set credentials = null
    where removed_at < now() - interval '1 minute' - ${openMsMax}::float8 * interval '1 millisecond' and credentials is not null
      and not exists (select from open_tasks where vendor_account = vendor_accounts.name)`.execute(
    db,
  );
}

/** Returns the number of tasks that an account works on, up to a limit. */
export async function countOpenJobs(db: Db, name: string, countMax: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from open_tasks where vendor_account = ${name} and submit_started_at is not null
      limit ${countMax}) as open`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Locks the limits of an account until the end of the transaction, so that nobody else claims a submit
 * against them.
 */
export async function lockLimits(tx: SharedTx, name: string): Promise<void> {
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
      day = excluded.day, credits = ${used} + excluded.credits, refused_at = null
    where ${used} + excluded.credits <= ${creditsMax}::bigint`.execute(db);
  return changedRows(taken) > 0;
}

/** A task did not fit into the credits of today. The first time counts. */
export async function noteBudgetSpent(db: Db, name: string): Promise<void> {
  await sql`
    insert into vendor_usage as u (vendor_account, day, credits, refused_at)
    values (${name}, ${today}, 0, now())
    on conflict (vendor_account) do update set
      day = excluded.day, credits = case when u.day = excluded.day then u.credits else 0 end,
      refused_at = excluded.refused_at
    where u.day <> excluded.day or u.refused_at is null`.execute(db);
}

/** The accounts whose credits of today do not suffice for the last task that was to be submitted. */
export async function listBudgetsSpent(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select vendor_account as name from vendor_usage
    where day = ${today} and refused_at is not null limit ${rowsMax}`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** The vendor has proven not to have accepted. */
export async function returnCredits(db: Db, name: string, credits: number): Promise<void> {
  await sql`
    update vendor_usage set credits = greatest(0, credits - ${credits})
    where vendor_account = ${name} and day = ${today}`.execute(db);
}

/** Returns the figures of an account that operators see beside its settings. */
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
