import { expect } from "vitest";

import { openConnections } from "../../src/db/connections.ts";
import { verifyLedger } from "../../src/ledger-checks/verify-ledger.ts";
import type { FreshDatabase } from "./fresh-database.ts";

/** Checks the invariants of the money that hold at all times. */
export async function checkMoney(database: FreshDatabase): Promise<void> {
  const pool = openConnections(database.serviceUrl, 1, "check money");
  try {
    expect((await verifyLedger(pool)).breaches).toEqual([]);
  } finally {
    await pool.end();
  }
}
