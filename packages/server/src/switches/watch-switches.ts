import { setTimeout as pause } from "node:timers/promises";
import type { DirectoryDb } from "../db/database.ts";
import { createOutage, type Log } from "../log.ts";
import { listSwitches } from "./queries.ts";
import { noSwitches, readSwitches, type SwitchState } from "./switches.ts";

/** A change reaches every process within this time and that of one query. Nothing is sent, so nothing is lost. */
const everyMs = 2_000;

/** The switches as this process last read them: a request asks no database. */
export interface Switches {
  /** A new object whenever something has changed. */
  current(): SwitchState;
  /** Reads them now. Throws when the database is unreachable; then they stay as they were. */
  refresh(): Promise<void>;
  /** Reads them, and again and again until closed. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

export function createSwitches({ db, log }: { db: DirectoryDb; log: Log }): Switches {
  const stopping = new AbortController();
  let state = noSwitches;
  let version = "[]";
  let watching: Promise<void> = Promise.resolve();

  async function refresh(): Promise<void> {
    const rows = await listSwitches(db);
    const read = JSON.stringify(rows);
    if (read === version) return;
    version = read;
    state = readSwitches(rows);
    log.info({ event: "switches.read", names: rows.map(({ name }) => name) });
  }

  const outage = createOutage(log, {
    failed: "switches.unread",
    over: "switches.recovered",
    level: "warn",
  });
  const refreshOrLog = () => refresh().then(outage.end, outage.note);

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await refreshOrLog();
    }
  }

  return {
    current: () => state,
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
