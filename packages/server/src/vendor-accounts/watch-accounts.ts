import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../db/database.ts";
import type { KeyRing } from "../key-ring.ts";
import type { Log } from "../log.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import { type AccountRow, listAccounts } from "./queries.ts";
import { readAccount } from "./read-account.ts";

/** A change reaches every process within this time and that of one query. Nothing is sent, so nothing is lost. */
const everyMs = 2_000;

/** The vendor accounts of the database, and those of the setting VENDORS whose names it does not have. */
export interface VendorAccounts {
  /** Always the same map; its content changes. */
  readonly byName: ReadonlyMap<string, VendorAccount>;
  /** Whether there is an account that this process cannot open, such as without its key in the ring. */
  isIncomplete(): boolean;
  /** Reads them now. Throws when the database is away; then they stay as they were. */
  refresh(): Promise<void>;
  /** Reads them, and again and again until closed. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

interface Known {
  version: string;
  /** Null: it cannot be opened. */
  account: VendorAccount | null;
  isUnusable: boolean;
}

export function createVendorAccounts(
  { db, log, keyRing, shards }: { db: Db; log: Log; keyRing: KeyRing | null; shards: number },
  bootstrap: readonly VendorAccount[],
): VendorAccounts {
  const byName = new Map(bootstrap.map((account) => [account.name, account]));
  const known = new Map<string, Known>();
  const stopping = new AbortController();
  let refreshing: Promise<void> | null = null;
  let watching: Promise<void> = Promise.resolve();

  /** One bad row costs its own account. What was open before stays open as it was. */
  function open(row: AccountRow): VendorAccount | null {
    const before = known.get(row.name);
    if (before?.version === row.version) return before.account;
    const { name } = row;
    try {
      const account = shareOf(readAccount(keyRing, row), shards);
      log.info({ event: "vendor_account.read", vendorAccount: name, state: account.state });
      return account;
    } catch (error) {
      if (row.credentials !== null)
        log.error({ event: "vendor_account.unusable", vendorAccount: name, reason: String(error) });
      return before?.account ?? null;
    }
  }

  async function read(): Promise<void> {
    const rows = await listAccounts(db);
    const opened = rows.map((row) => ({ row, account: open(row) }));
    known.clear();
    for (const { row, account } of opened) {
      const isUnusable = account === null && row.credentials !== null; // null: removed, no job is open
      known.set(row.name, { version: row.version, account, isUnusable });
    }
    byName.clear(); // nobody runs between this and the end of the function
    for (const { row, account } of opened) if (account !== null) byName.set(row.name, account);
    for (const account of bootstrap)
      if (!known.has(account.name)) byName.set(account.name, account);
  }

  async function refresh(): Promise<void> {
    refreshing ??= read().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  const refreshOrLog = () =>
    refresh().catch((error) =>
      log.warn({ event: "vendor_accounts.unread", reason: String(error) }),
    );

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await refreshOrLog();
    }
  }

  const isIncomplete = () => [...known.values()].some(({ isUnusable }) => isUnusable);

  return {
    byName,
    isIncomplete,
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
function shareOf(account: VendorAccount, shards: number): VendorAccount {
  const part = (max: number | null) =>
    max === null ? null : Math.max(1, Math.floor(max / shards));
  return {
    ...account,
    openJobsMax: part(account.openJobsMax),
    creditsPerDayMax: part(account.creditsPerDayMax),
  };
}
