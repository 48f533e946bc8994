import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";

/** The SQL of vendor accounts that accept no submits for a while. */

/** After a throttle has ended, one submit per interval probes the vendor. */
const probeMs = 2_000;

/** The longest Retry-After that is honoured. */
export const throttleMsMax = 60 * 60_000;

/** Throttles a vendor account for this long. The latest end counts. */
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
      }),
    )
    .execute();
}

/** The vendor account has responded: the throttle ends for all. */
export async function clearThrottle(db: Db, vendorAccount: string): Promise<void> {
  await db
    .updateTable("vendor_pace")
    .set({ throttled_until: null })
    .where("vendor_account", "=", vendorAccount)
    .where("throttled_until", "is not", null)
    .execute();
}

/**
 * How long a vendor account is throttled, over all processes; 0: not at all. When the throttle ends,
 * one caller is let through and the others wait for its result.
 */
export async function passThrottle(db: Db, vendorAccount: string): Promise<number> {
  const { rows } = await sql<{ waitMs: number; isProbe: boolean }>`
    with probe as (
      update vendor_pace set throttled_until = ${inMs(probeMs)}
      where vendor_account = ${vendorAccount} and throttled_until <= now()
      returning vendor_account
    )
    select exists (select from probe) as "isProbe",
           greatest(0, extract(epoch from throttled_until - now()) * 1000)::float8 as "waitMs"
    from vendor_pace where vendor_account = ${vendorAccount} and throttled_until is not null`.execute(
    db,
  );
  const [pace] = rows;
  if (pace === undefined || pace.isProbe) return 0;
  return Math.max(pace.waitMs, probeMs);
}

const listedMax = 200;

/** The vendor accounts that accept no submits now. */
export async function listThrottled(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("vendor_pace")
    .select("vendor_account as name")
    .where("throttled_until", ">", sql<Date>`now()`)
    .limit(listedMax)
    .execute();
  return rows.map(({ name }) => name);
}
