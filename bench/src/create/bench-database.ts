import { join } from "node:path";
import { newApiKey } from "@zoetrope/server/accounts/api-key.ts";
import { planRequest } from "@zoetrope/server/models/plan-request.ts";
import { type Postgres, startPostgres } from "@zoetrope/testkit/services/postgres.ts";
import { withClient } from "@zoetrope/testkit/services/with-client.ts";
import { prepareDatabase } from "@zoetrope/testkit/stack.ts";

/** So many that no account's lock is ever waited for, as in a real service. */
export const accountCount = 1_000;
const creditsPerAccount = 1_000_000_000;

const inputs = { prompt: "a fox crosses a frozen lake" };
/** What every contestant orders, and how it is stored: the same work for the database. */
export const order = {
  body: JSON.stringify({ model: "sd2", inputs }),
  request: JSON.stringify(planRequest("sd2", inputs)),
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

/** Durable, as in production: every commit is on disk before it is answered. */
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
  const made = Array.from({ length: accountCount }, (_, n) => ({ n, ...newApiKey() }));
  await withClient(urls.owner, async (client) => {
    await client.query(
      `insert into accounts (id, name, open_tasks_max, webhook_secret)
       select id, 'bench', 1000000, 'whsec_' from unnest($1::uuid[]) as id`,
      [made.map(({ n }) => accountIdOf(n))],
    );
    await client.query(
      "select post_transfer(id, 'grant', id, id, $2, 'bench') from unnest($1::uuid[]) as id",
      [made.map(({ n }) => accountIdOf(n)), creditsPerAccount],
    );
    await client.query(
      `insert into api_keys (id, account_id, name, hint, hash)
       select id, account_id, 'bench', 'bench', hash from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as k (id, account_id, hash)`,
      [
        made.map(({ n }) => keyIdOf(n)),
        made.map(({ n }) => accountIdOf(n)),
        made.map(({ hash }) => hash),
      ],
    );
    await client.query("vacuum analyze");
  });
  const keys = made.map(({ key }) => key);
  return { name, ownerUrl: urls.owner, serviceUrl: urls.service, keys };
}

/** Every round begins with few open tasks per account, as the limit of three keeps it in a real service. */
export function closeOpenTasks(database: BenchDatabase): Promise<void> {
  return withClient(database.ownerUrl, async (client) => {
    await client.query("truncate open_tasks");
    await client.query("checkpoint");
  });
}
