import { openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import type { Postgres } from "@zoetrope/dev/services/postgres.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { historyTables } from "@zoetrope/server/db/partitions.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { accountIdOf, keyIdOf, sampleTask } from "../create/bench-database.ts";

/** Every account has about 90 tasks, and the first one a tenth of all. */
const tasksPerAccount = 100;
const largeShare = 10;
/** The number of accounts that send the requests, the large one among them. */
const callersMax = 1_000;
const sampledTasks = 2_000;
const batch = 250_000;
const historyDays = 60;
/** One task in so many has a callback, has failed, or is of the rare model. */
const calledBackShare = 10;
const failedShare = 4_999;
const rareShare = 99_990;
export const rareModel = "happyhorse";

const output = JSON.stringify([
  {
    key: `${"ab".repeat(20)}.mp4`,
    contentType: "video/mp4",
    sizeBytes: 4_194_304,
    sha256: "00".repeat(32),
    width: 1280,
    height: 720,
    durationMs: 5_000,
    expiresAt: 1_790_000_000_000,
    storedAt: 1_780_000_000_000,
    poster: { key: `${"cd".repeat(20)}.webp`, thumbhash: "nwcKnJp4eIhweIiHh3dwdQj3hw==" },
  },
]);

type Sql = Parameters<Parameters<typeof withClient>[1]>[0];

export interface ListDatabase {
  name: string;
  tasks: number;
  ownerUrl: string;
  serviceUrl: string;
  /** API keys, by the number of their account; 0 is the large one. */
  keys: string[];
  /** Tasks of these accounts. */
  sample: { taskId: string; account: number }[];
}

/** A migrated database with a history of so many tasks. */
export async function makeListDatabase(
  postgres: Postgres,
  name: string,
  tasks: number,
): Promise<ListDatabase> {
  const urls = await prepareDatabase(postgres, name);
  const accounts = Math.max(2, Math.round(tasks / tasksPerAccount));
  const plans = Array.from({ length: Math.min(callersMax, accounts) }, (_, n) => ({
    name: `bench ${n}`,
    credits: 1_000_000,
    openTasksMax: 10,
    accountId: accountIdOf(n),
    keyId: keyIdOf(n),
  }));
  const opened = await openAccounts(urls.owner, plans);
  const sample = await withClient(urls.owner, async (client) => {
    await client.query(
      `insert into accounts (id, name, open_tasks_max, webhook_secret)
       select ${accountOf("n")}, 'bench ' || n, 10, 'whsec_' from generate_series($1::bigint, $2::bigint) n`,
      [plans.length, accounts - 1],
    );
    await client.query("set synchronous_commit = off");
    await makeMonths(client);
    await fillHistory(client, { name, tasks, accounts });
    return sampleOf(client, plans.length);
  });
  const keys = opened.map(({ key }) => key);
  return { name, tasks, ownerUrl: urls.owner, serviceUrl: urls.service, keys, sample };
}

const accountOf = (n: string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

async function makeMonths(client: Sql): Promise<void> {
  await client.query(
    `select create_partition(p_parent => parent, p_month => month, p_rows_max => 1)
     from unnest($1::text[]) as parent,
          generate_series(date_trunc('month', now() - interval '${historyDays} days'), now(), interval '1 month') as month`,
    [historyTables],
  );
}

/** Indexes that are not in the order of ids are made when the rows are there. */
async function fillHistory(
  client: Sql,
  size: { name: string; tasks: number; accounts: number },
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.relname as name, replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where t.relname in ('tasks', 'deliveries') and i.relkind = 'I' and not x.indisunique`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query("create temporary table made (id uuid, account_id uuid, n bigint)");
  for (let done = 0; done < size.tasks; done += batch) {
    await insertBatch(client, done, size);
    print(`${size.name}: ${Math.min(done + batch, size.tasks)} tasks`);
  }
  for (const { definition } of indexes) await client.query(definition);
  print(`${size.name}: indexes`);
}

async function insertBatch(
  client: Sql,
  from: number,
  { tasks, accounts }: { tasks: number; accounts: number },
): Promise<void> {
  await client.query("truncate made");
  await client.query(
    `insert into made select
       (substr(id_floor(now() - interval '${historyDays} days' * (1 - n::float8 / $2))::text, 1, 14) || '7'
         || substr(md5(n::text), 1, 3) || '-8000-' || substr(md5('x' || n), 1, 12))::uuid,
       ${accountOf(`case when n % ${largeShare} = 0 then 0 else 1 + n * 7919 % ($3::bigint - 1) end`)}, n
     from generate_series($1::bigint, least($1 + ${batch}, $2) - 1) as n`,
    [from, tasks, accounts],
  );
  await client.query(
    `insert into tasks (id, account_id, key_id, kind, model, request, price_schedule, credits, callback_url, status,
                        output, error_code, error_message, created_at, completed_at, moments)
     select id, account_id, overlay(account_id::text placing '9' from 20 for 1)::uuid,
            'generation', case when n % ${rareShare} = 0 then '${rareModel}' when n % 5 = 1 then 'image-pro-2' else 'sd2' end,
            $1, 'A', 30, case when n % ${calledBackShare} = 0 then 'https://example.com/done' end,
            case when is_failed then 'FAILED' else 'COMPLETED' end, case when not is_failed then $2::jsonb end,
            case when is_failed then 'vendor_failed' end, case when is_failed then 'The vendor failed.' end,
            id_time(id), id_time(id) + interval '70 seconds',
            jsonb_build_object('vendorEndedAt', floor(extract(epoch from id_time(id)) * 1000) + 60000)
     from made, lateral (select n % ${failedShare} = 0 as is_failed) as f`,
    [sampleTask.request, output],
  );
  await client.query(
    `insert into submissions (task_id, started_at, vendor_account, outcome, vendor_job_id, ended_at, accepted_at)
     select id, id_time(id) + interval '1 second', 'ark', 'accepted', 'job-' || n,
            id_time(id) + interval '2 seconds', id_time(id) + interval '2 seconds' from made`,
  );
  await client.query(
    `with d as (
       insert into deliveries (id, account_id, task_id, url, body, created_at, delivered_at)
       select (substr(id_floor(id_time(id) + interval '70 seconds')::text, 1, 14) || substr(id::text, 15))::uuid,
              account_id, id, 'https://example.com/done', $1, id_time(id), id_time(id) from made
       where n % ${calledBackShare} = 0 returning id)
     insert into attempts (delivery_id, number, started_at, duration_ms, status)
     select id, 1, id_time(id), 30, 200 from d`,
    [output],
  );
}

/** Any tasks of the accounts that send requests. */
async function sampleOf(client: Sql, callers: number): Promise<ListDatabase["sample"]> {
  const { rows } = await client.query<{ taskId: string; account: number }>(
    `select id as "taskId", ('x' || right(account_id::text, 8))::bit(32)::int as account
     from tasks where account_id = any (select ${accountOf("n")} from generate_series(0, $1 - 1) n)
     order by md5(id::text) limit ${sampledTasks}`,
    [callers],
  );
  return rows;
}
