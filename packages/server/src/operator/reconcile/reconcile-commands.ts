import type { Pool } from "pg";
import { type Config, readConfig } from "../../config.ts";
import type { Db } from "../../db/database.ts";
import { readEnvironment } from "../../environment.ts";
import { openStorage } from "../../media/storage/open-storage.ts";
import { listServiceProcesses } from "../../tasks/reconcile-queries.ts";
import { listAccounts } from "../../vendor-accounts/queries.ts";
import { readAccount } from "../../vendor-accounts/read-account.ts";
import { openVendorAccounts } from "../../vendors/accounts.ts";
import { readVendorSettings } from "../../vendors/read-settings.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";
import { type Commands, fail, type Options, type Report, readText } from "../command.ts";
import { withDatabase } from "../with-database.ts";
import type { Difference } from "./difference.ts";
import { findDifferences } from "./reconcile.ts";

export const reconcileCommands: Commands = {
  reconcile: {
    takes: "[--point TIME] [--apply]",
    does: "after a restore, before api and workers start: lists how engine, vendors and storage differ from the database; --apply brings them in line. TIME: the point that was restored. Reads the settings of a worker; exit code 1 while something is to be settled",
    run: reconcile,
  },
};

async function reconcile(options: Options): Promise<Report> {
  const point = options["point"] === undefined ? null : readTime(options, "point");
  const config = readConfig(readEnvironment());
  const storage = openStorage(config);
  try {
    return await withDatabase(async (db: Db, pool: Pool, { home }) => {
      await requireStopped(db);
      const world = { config, db, pool, storage, vendors: await readVendors(home.db, config) };
      const differences = await findDifferences(world, point);
      return options["apply"] === true ? apply(differences) : show(differences);
    });
  } finally {
    await storage.close();
  }
}

/** All of them: jobs of an account that cannot be opened would look as if there were none. */
async function readVendors(db: Db, config: Config): Promise<ReadonlyMap<string, VendorAccount>> {
  const opened: VendorAccount[] = [];
  const rows = await listAccounts(db);
  for (const row of rows.filter(({ credentials }) => credentials !== null))
    try {
      opened.push(readAccount(config.secrets.keyRing, row));
    } catch (error) {
      fail(`The vendor account ${row.name} cannot be opened: ${String(error)}`);
    }
  const names = new Set(rows.map(({ name }) => name));
  const bootstrap = readVendorSettings(config).accounts.filter(({ name }) => !names.has(name));
  return openVendorAccounts([...opened, ...bootstrap]);
}

function readTime(options: Options, name: string): Date {
  const time = new Date(readText(options, name));
  if (Number.isNaN(time.getTime())) fail(`--${name} must be a time such as 2030-12-31T12:00:00Z.`);
  return time;
}

/** What works meanwhile would look like a difference, and would submit what is being compared. */
async function requireStopped(db: Db): Promise<void> {
  const running = await listServiceProcesses(db);
  if (running.length > 0) fail(`Stop these processes first: ${running.join(", ")}.`);
}

function show(differences: Difference[]): Report {
  if (differences.length === 0) return { facts: { differences: 0 } };
  process.exitCode = 1;
  return {
    facts: differences.map(({ kind, id, detail, action }) => ({ kind, id, detail, action })),
    next: "run the same command with --apply",
  };
}

async function apply(differences: Difference[]): Promise<Report> {
  const rows = [];
  for (const { kind, id, detail, action, apply, isBlocking } of differences) {
    await apply?.();
    if (isBlocking === true) process.exitCode = 1;
    rows.push({ kind, id, detail, action, done: apply === null ? "no" : "yes" });
  }
  const isBlocked = differences.some(({ isBlocking }) => isBlocking === true);
  return {
    facts: rows.length === 0 ? { differences: 0 } : rows,
    next: isBlocked
      ? "settle what is left, and run this again before api and workers start"
      : "run 'ledger verify', then start api and workers",
  };
}
