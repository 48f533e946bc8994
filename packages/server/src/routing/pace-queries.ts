import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";

/** The SQL of vendor accounts that accept no submits for a while: throttled, or skipped because they fail. */

/** The interval at which single submits probe the vendor after a throttle has ended. */
const probeMs = 2_000;

/** The longest Retry-After that is honoured. */
export const throttleMsMax = 60 * 60_000;

/**
 * Throttles a vendor account for this long. The latest end counts. The account works, since it has
 * responded.
 */
export async function noteThrottle(
  db: Db,
  vendorAccount: string,
  requestedMs: number,
): Promise<void> {
  const forMs = Math.min(requestedMs, throttleMsMax);
  await db
    .insertInto("vendor_pace")
    .values({ vendor_account: vendorAccount, next_call_at: inMs(0), throttled_until: inMs(forMs) })
    .onConflict((conflict) =>
      conflict.column("vendor_account").doUpdateSet({
        throttled_until: sql`greatest(vendor_pace.throttled_until, excluded.throttled_until)`,
        failures: 0,
        skipped_until: null,
      }),
    )
    .execute();
}

/** The vendor account works: nothing holds submits back, in any process. */
export async function noteWell(db: Db, vendorAccount: string): Promise<void> {
  await sql`
    update vendor_pace set throttled_until = null, failures = 0, skipped_until = null
    where vendor_account = ${vendorAccount}
      and (throttled_until is not null or failures > 0)`.execute(db);
}

/** The vendor account fails. After so many failures in a row all processes skip it. */
export async function noteSick(
  db: Db,
  vendorAccount: string,
  { failuresMax, skipMs }: { failuresMax: number; skipMs: number },
): Promise<void> {
  await sql`
    insert into vendor_pace as p (vendor_account, next_call_at, failures)
    values (${vendorAccount}, now(), 1)
    on conflict (vendor_account) do update set
      throttled_until = null, failures = p.failures + 1,
      skipped_until = case when p.failures + 1 >= ${failuresMax} then ${inMs(skipMs)} end`.execute(
    db,
  );
}

interface Pace {
  mayCall: boolean;
  waitMs: number;
}

/**
 * Whether a submit may be made to a vendor account, over all processes, and if not how long it is
 * throttled. When a throttle or a skip ends, one caller is let through and the others wait for its
 * result.
 */
export async function passPace(db: Db, vendorAccount: string, skipMs: number): Promise<Pace> {
  const { rows } = await sql<{ throttledMs: number | null; isProbe: boolean }>`
    with probe as (
      update vendor_pace set
        throttled_until = case when throttled_until is not null then ${inMs(probeMs)} end,
        skipped_until = case when skipped_until is not null then ${inMs(skipMs)} end
      where vendor_account = ${vendorAccount} and greatest(throttled_until, skipped_until) <= now()
      returning vendor_account
    )
    select exists (select from probe) as "isProbe",
           (extract(epoch from throttled_until - now()) * 1000)::float8 as "throttledMs"
    from vendor_pace
    where vendor_account = ${vendorAccount}
      and greatest(throttled_until, skipped_until) is not null`.execute(db);
  const [pace] = rows;
  if (pace === undefined || pace.isProbe) return { mayCall: true, waitMs: 0 };
  const { throttledMs } = pace;
  return { mayCall: false, waitMs: throttledMs === null ? 0 : Math.max(throttledMs, probeMs) };
}

const listedMax = 200;

/** The vendor accounts that accept no submits now, and those that are skipped because they keep failing. */
export async function listHeldBack(
  db: Db,
): Promise<{ throttled: ReadonlySet<string>; skipped: ReadonlySet<string> }> {
  const { rows } = await sql<{ name: string; isThrottled: boolean; isSkipped: boolean }>`
    select vendor_account as name, coalesce(throttled_until > now(), false) as "isThrottled",
           skipped_until is not null as "isSkipped"
    from vendor_pace where throttled_until > now() or skipped_until is not null
    limit ${listedMax}`.execute(db);
  const namesOf = (held: typeof rows) => new Set(held.map(({ name }) => name));
  return {
    throttled: namesOf(rows.filter(({ isThrottled }) => isThrottled)),
    skipped: namesOf(rows.filter(({ isSkipped }) => isSkipped)),
  };
}
