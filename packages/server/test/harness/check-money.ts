import { expect } from "vitest";
import { openPool } from "../../src/db/database.ts";
import { verifyLedger } from "../../src/tasks/verify-ledger.ts";
import type { FreshDatabase } from "./fresh-database.ts";

/** What must be true of the money after anything at all. */
export async function checkMoney(database: FreshDatabase): Promise<void> {
  const pool = openPool(database.serviceUrl, 1, "check money");
  try {
    expect((await verifyLedger(pool)).breaches).toEqual([]);
  } finally {
    await pool.end();
  }
}
