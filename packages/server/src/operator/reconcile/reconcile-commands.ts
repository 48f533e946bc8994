import type { Connections } from "../../db/connections.ts";
import type { Db, DirectoryDb } from "../../db/database.ts";
import { openFence, readFence } from "../../media/storage/fence.ts";
import { openStorage } from "../../media/storage/open-storage.ts";
import { listVendorAccounts } from "../../routing/queries.ts";
import { findVendorFaults, readVendorSettings } from "../../routing/read-settings.ts";
import { readVendorAccount } from "../../routing/read-vendor-account.ts";
import { openVendorAccounts } from "../../routing/vendor-accounts-setting.ts";
import { type Config, readConfig } from "../../settings/config.ts";
import { readEnvironment } from "../../settings/environment.ts";
import { listServiceProcesses } from "../../tasks/reconcile-queries.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import { type Commands, fail, type Options, type Report, readTime } from "../command.ts";
import { withDatabase } from "../with-database.ts";
import type { Difference, ReconcileContext } from "./difference.ts";
import { findDifferences } from "./reconcile.ts";

export const reconcileCommands: Commands = {
  reconcile: {
    takes: "[--point TIME] [--apply]",
    does: "after a restore, before api and workers start: lists how engine, vendors and storage differ from the database; --apply brings them in line and lets workers submit again. TIME: the point that was restored, as 2030-12-31T12:00:00Z or as recovery_target_time has it, '2030-12-31 12:00:00+00'. Reads the settings of a worker; exit code 1 while something is to be settled",
    run: reconcile,
  },
};

async function reconcile(options: Options): Promise<Report> {
  const point = options["point"] === undefined ? null : readTime(options, "point");
  const config = readConfig(readEnvironment(), findVendorFaults);
  const storage = openStorage(config);
  try {
    return await withDatabase(async (db: Db, pool: Connections, { directory }) => {
      await requireStopped(db);
      const ctx = { config, db, pool, storage, vendors: await readVendors(directory.db, config) };
      const differences = [...(await findDifferences(ctx, point)), ...(await compareFence(ctx))];
      const report = options["apply"] === true ? await apply(ctx, differences) : show(differences);
      return point === null ? report : { ...report, next: withPoint(report.next, point) };
    });
  } finally {
    await storage.close();
  }
}

/** All of them: jobs of an account that cannot be opened would look as if there were none. */
async function readVendors(
  db: DirectoryDb,
  config: Config,
): Promise<ReadonlyMap<string, VendorAccount>> {
  const opened: VendorAccount[] = [];
  const rows = await listVendorAccounts(db);
  for (const row of rows.filter(({ credentials }) => credentials !== null))
    try {
      opened.push(readVendorAccount(config.secrets.keyRing, row));
    } catch (error) {
      fail(`The vendor account ${row.name} cannot be opened: ${String(error)}`);
    }
  const names = new Set(rows.map(({ name }) => name));
  const bootstrap = readVendorSettings(config).accounts.filter(({ name }) => !names.has(name));
  return openVendorAccounts([...opened, ...bootstrap]);
}

/** The point in the form of this command, and in the one that PostgreSQL takes. */
function withPoint(next = "nothing", point: Date): string {
  const iso = point.toISOString();
  const target = `${iso.slice(0, -1).replace("T", " ")}+00`;
  return `${next} (the point: ${iso}, as recovery_target_time '${target}')`;
}

/**
 * Refuses while processes are running: their work would look like a difference, and they would submit what
 * is being compared.
 */
async function requireStopped(db: Db): Promise<void> {
  const running = await listServiceProcesses(db);
  if (running.length > 0) fail(`Stop these processes first: ${running.join(", ")}.`);
}

async function compareFence(ctx: ReconcileContext): Promise<Difference[]> {
  const detail = await readFence(ctx);
  if (detail === null) return [];
  const action = "let workers submit again, once nothing blocks";
  return [{ kind: "database behind", id: "fence", detail, action, apply: null }];
}

function show(differences: Difference[]): Report {
  if (differences.length === 0) return { facts: { differences: 0 } };
  process.exitCode = 1;
  return {
    facts: differences.map(({ kind, id, detail, action }) => ({ kind, id, detail, action })),
    next: "run the same command with --apply",
  };
}

async function apply(ctx: ReconcileContext, differences: Difference[]): Promise<Report> {
  const isBlocked = differences.some(({ isBlocking }) => isBlocking === true);
  const rows = [];
  for (const { kind, id, detail, action, apply, isBlocking } of differences) {
    await apply?.();
    if (isBlocking === true) process.exitCode = 1;
    const isDone = apply !== null || (kind === "database behind" && !isBlocked);
    rows.push({ kind, id, detail, action, done: isDone ? "yes" : "no" });
  }
  if (!isBlocked) await openFence(ctx); // last: whatever failed above leaves it closed
  return {
    facts: rows.length === 0 ? { differences: 0 } : rows,
    next: isBlocked
      ? "settle what is left, and run this again before api and workers start"
      : "run 'ledger verify', then start api and workers",
  };
}
