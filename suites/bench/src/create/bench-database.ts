import { join } from "node:path";
import { openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { type Postgres, startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { planRequest } from "@zoetrope/server/models/plan-request.ts";
import { sd2 } from "@zoetrope/server/models/sd2.ts";

/** The number of accounts: so many that no account's lock is ever waited for, as in a real service. */
export const accountCount = 1_000;
const creditsPerAccount = 1_000_000_000;

const inputs = { prompt: "a fox crosses a frozen lake" };
/** The task that every contestant creates, and its stored form: the same work for the database. */
export const sampleTask = {
  body: JSON.stringify({ model: "sd2", inputs }),
  request: JSON.stringify(planRequest(sd2, inputs)),
};

export interface BenchDatabase {
  name: string;
  ownerUrl: string;
  serviceUrl: string;
  /** API keys, by the number of their account. */
  keys: string[];
}

/** Numbers in the last digits: pgbench can make the same ids. */
export function accountIdOf(n: number): string {
  return `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

export function keyIdOf(n: number): string {
  return `00000000-0000-7000-9000-${n.toString(16).padStart(12, "0")}`;
}

/** Starts a durable PostgreSQL, as in production: every commit is on disk before it is acknowledged. */
export function startBenchPostgres(
  dir: string,
  more: Record<string, string> = {},
): Promise<Postgres> {
  const settings = { shared_buffers: "1GB", max_wal_size: "8GB", checkpoint_timeout: "30min" };
  return startPostgres({ dir: join(dir, "postgres"), settings: { ...settings, ...more } });
}

/** A migrated database with accounts that never run out of credits or room. */
export async function makeBenchDatabase(postgres: Postgres, name: string): Promise<BenchDatabase> {
  const urls = await prepareDatabase(postgres, name);
  const plans = Array.from({ length: accountCount }, (_, n) => ({
    name: "bench",
    credits: creditsPerAccount,
    openTasksMax: 1_000_000,
    accountId: accountIdOf(n),
    keyId: keyIdOf(n),
  }));
  const accounts = await openAccounts(urls.owner, plans);
  await withClient(urls.owner, (db) => db.query("vacuum analyze"));
  const keys = accounts.map(({ key }) => key);
  return { name, ownerUrl: urls.owner, serviceUrl: urls.service, keys };
}

/** Every round begins with few open tasks per account, as the limit of three keeps it in a real service. */
export function closeOpenTasks(database: BenchDatabase): Promise<void> {
  return withClient(database.ownerUrl, async (client) => {
    await client.query("truncate open_tasks");
    await client.query("checkpoint");
  });
}
