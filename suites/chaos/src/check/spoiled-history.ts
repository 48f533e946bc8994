import { join } from "node:path";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Client } from "pg";
import { judge } from "./invariants.ts";
import {
  emptyLogs,
  endTask,
  inTransaction,
  type Logs,
  openTask,
  type PlantedAccount,
  type PlantedTask,
  plantAccount,
  post,
  raiseHold,
  requestOf,
} from "./planted-history.ts";
import { readRows } from "./rows.ts";

export interface History {
  logs: Logs;
  account: PlantedAccount;
  /** Completed, with a callback that took two attempts. */
  video: PlantedTask;
  /** Failed, refused by the vendor: it has no job. */
  refused: PlantedTask;
  /** Completed, without a callback. */
  quiet: PlantedTask;
  /** Completed; its hold was raised by 6 credits to 21. */
  upscale: PlantedTask;
}

export type Spoil = (history: History & { db: Client }) => unknown;

export interface Histories extends AsyncDisposable {
  /** The ids of the invariants that are violated after `spoil` has changed a clean history. */
  violatedAfter(spoil: Spoil): Promise<string[]>;
}

/** A database with a clean history, and as many copies of it as there are tests. */
export async function openHistories(dir: string): Promise<Histories> {
  const postgres = await startPostgres({
    dir: join(dir, "postgres"),
    settings: { fsync: "off", track_commit_timestamp: "on" },
  });
  const { owner } = await prepareDatabase(postgres, "clean");
  const clean = await withClient(owner, plantCleanHistory);
  let copies = 0;
  return {
    async violatedAfter(spoil) {
      const name = `copy_${++copies}`;
      await withClient(postgres.url, (db) => db.query(`create database ${name} template clean`));
      const url = `postgres://postgres@127.0.0.1:${postgres.port}/${name}`;
      const logs = structuredClone(clean.logs);
      await withClient(url, async (db) => {
        await db.query("set session_replication_role = replica"); // without the ledger's triggers
        await spoil({ ...clean, logs, db });
      });
      const verdicts = judge({ ...logs, rows: await readRows(url) });
      return verdicts.flatMap(({ id, violations }) => (violations.length > 0 ? id : []));
    },
    [Symbol.asyncDispose]: () => postgres.stop(),
  };
}

async function plantCleanHistory(db: Client): Promise<History> {
  const logs = emptyLogs();
  const account = await plantAccount(db, 200);
  await inTransaction(db, () => post(db, account, newId(), "adjust", -50));
  await inTransaction(db, () => post(db, account, newId(), "grant", 30));
  await inTransaction(db, () => post(db, account, newId(), "expiry", 30));
  const video = await openTask(db, logs, account, { hasCallback: true });
  const refused = await openTask(db, logs, account, { hasJob: false });
  await endTask(db, logs, refused, "FAILED");
  const quiet = await openTask(db, logs, account);
  await endTask(db, logs, video, "COMPLETED");
  await endTask(db, logs, quiet, "COMPLETED");
  const upscale = await openTask(db, logs, account, { kind: "upscale" });
  const sourceless = await openTask(db, logs, account, { kind: "upscale" });
  await raiseHold(db, upscale, 6);
  await endTask(db, logs, upscale, "COMPLETED");
  await endTask(db, logs, sourceless, "FAILED");
  const other = await plantAccount(db, 0);
  const [accountId, taskId] = [other.id, video.id];
  logs.clients.push({ event: "foreign", accountId, taskId, status: 403, body: { message: "no" } });
  return { logs, account, video, refused, quiet, upscale };
}

/** Changes a request and signs it again. */
export function resign(
  { logs, video }: History,
  index: number,
  change: { body?: string; webhookId?: string },
): void {
  const before = logs.received[index];
  if (before === undefined) throw new Error("no such request");
  const { body = before.body, webhookId = before.webhookId ?? "" } = change;
  logs.received[index] = requestOf(video, webhookId, body, before.answered ?? 0);
}
