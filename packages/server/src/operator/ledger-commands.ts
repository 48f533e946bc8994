import type { Connections } from "../db/connections.ts";
import { rebuildUsage } from "../ledger-checks/rebuild-usage.ts";
import { verifyLedger } from "../ledger-checks/verify-ledger.ts";
import type { Commands, Report } from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const ledgerCommands: Commands = {
  "ledger verify": {
    takes: "",
    does: "checks the invariants of the ledger over its whole history; exit code 1 if one is broken",
    run: () => withDatabase((_db, pool) => verify(pool)),
  },
  "usage rebuild": {
    takes: "",
    does: "makes usage equal to the ledger, for tasks that ended before usage was recorded; safe to repeat while the service runs",
    run: () => withDatabase(async (db) => ({ facts: { ...(await rebuildUsage(db)) } })),
  },
};

async function verify(pool: Connections): Promise<Report> {
  const { checked, breaches } = await verifyLedger(pool);
  const rows = breaches.flatMap(({ invariant, rows: broken }) =>
    broken.map((row) => ({ breach: invariant, row: JSON.stringify(row) })),
  );
  if (rows.length === 0) return { facts: { ...checked, breaches: 0 } };
  process.exitCode = 1;
  return { facts: rows };
}
