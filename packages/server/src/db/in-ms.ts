import { type RawBuilder, sql } from "kysely";

/** Returns the time so many milliseconds from now, by the database's clock: hosts' clocks may differ. */
export function inMs(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms}::double precision * interval '1 millisecond'`;
}
