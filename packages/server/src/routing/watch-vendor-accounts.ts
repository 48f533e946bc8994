import { setTimeout as pause } from "node:timers/promises";
import type { DirectoryDb } from "../db/database.ts";
import { createOutage, type Log } from "../log.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import { listVendorAccounts, type VendorAccountRow } from "./queries.ts";
import { readVendorAccount } from "./read-vendor-account.ts";

/**
 * A change reaches every process within this time and that of one query. Nothing is sent, so nothing is
 * lost.
 */
const everyMs = 2_000;

/** The vendor accounts of the database, and those of the setting VENDORS whose names it does not have. */
export interface VendorAccounts {
  /** Always the same map; its content changes. */
  readonly byName: ReadonlyMap<string, VendorAccount>;
  /** The names of accounts that this process cannot open, such as without their key in the ring. */
  unusable(): string[];
  /** Reads them now. Throws when the database is unreachable; then they stay as they were. */
  refresh(): Promise<void>;
  /** Reads them, and again and again until closed. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

interface Known {
  version: string;
  /** Null: it cannot be opened. */
  vendorAccount: VendorAccount | null;
  isUnusable: boolean;
}

export function createVendorAccounts(
  {
    db,
    log,
    keyRing,
    shards,
  }: { db: DirectoryDb; log: Log; keyRing: KeyRing | null; shards: number },
  bootstrap: readonly VendorAccount[],
): VendorAccounts {
  const byName = new Map(bootstrap.map((vendorAccount) => [vendorAccount.name, vendorAccount]));
  const known = new Map<string, Known>();
  const stopping = new AbortController();
  let refreshing: Promise<void> | null = null;
  let watching: Promise<void> = Promise.resolve();

  /**
   * Opens the account of a row. A bad row affects only its own account, which stays as it was if it was
   * open.
   */
  function open(row: VendorAccountRow): VendorAccount | null {
    const before = known.get(row.name);
    if (before?.version === row.version) return before.vendorAccount;
    const { name } = row;
    try {
      const vendorAccount = shareOf(readVendorAccount(keyRing, row), shards);
      log.info({ event: "vendor_account.read", vendorAccount: name, state: vendorAccount.state });
      return vendorAccount;
    } catch (error) {
      if (row.credentials !== null)
        log.error({ event: "vendor_account.unusable", vendorAccount: name, reason: String(error) });
      return before?.vendorAccount ?? null;
    }
  }

  async function read(): Promise<void> {
    const rows = await listVendorAccounts(db);
    const opened = rows.map((row) => ({ row, vendorAccount: open(row) }));
    known.clear();
    for (const { row, vendorAccount } of opened) {
      const isUnusable = vendorAccount === null && row.credentials !== null; // null: removed, no job is open
      known.set(row.name, { version: row.version, vendorAccount, isUnusable });
    }
    byName.clear(); // nobody runs between this and the end of the function
    for (const { row, vendorAccount } of opened)
      if (vendorAccount !== null) byName.set(row.name, vendorAccount);
    for (const vendorAccount of bootstrap)
      if (!known.has(vendorAccount.name)) byName.set(vendorAccount.name, vendorAccount);
  }

  async function refresh(): Promise<void> {
    refreshing ??= read().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  const outage = createOutage(log, {
    failed: "vendor_accounts.unread",
    over: "vendor_accounts.recovered",
    level: "warn",
  });
  const refreshOrLog = () => refresh().then(outage.end, outage.note);

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await refreshOrLog();
    }
  }

  const unusable = () =>
    [...known].filter(([, { isUnusable }]) => isUnusable).map(([name]) => name);

  return {
    byName,
    unusable,
    refresh,
    async watch() {
      await refreshOrLog();
      watching = watch();
    },
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

/** Each shard counts by itself: it has its part of the limits, and at least one of each. */
function shareOf(vendorAccount: VendorAccount, shards: number): VendorAccount {
  const part = (max: number | null) =>
    max === null ? null : Math.max(1, Math.floor(max / shards));
  return {
    ...vendorAccount,
    openJobsMax: part(vendorAccount.openJobsMax),
    creditsPerDayMax: part(vendorAccount.creditsPerDayMax),
  };
}
