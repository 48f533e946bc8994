import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Bed } from "./bed.ts";

/** Copies of a finished task of an account, a minute apart, straight in the database. */
export async function copyTask(bed: Bed, taskId: string, copies: number): Promise<void> {
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query(
      `insert into tasks select (jsonb_populate_record(t,
         jsonb_build_object('id', c.id, 'created_at', id_time(c.id), 'completed_at', id_time(c.id)))).*
       from tasks t, lateral (
         select (substr(id_floor(now() - n * interval '1 minute')::text, 1, 14) || '7'
           || substr(md5(n::text), 1, 3) || '-8000-' || substr(md5($1 || n), 1, 12))::uuid as id
         from generate_series(1, $2::int) n) c
       where t.id = $1::uuid`,
      [taskId, copies],
    );
  });
}

const ownColumns: Readonly<Record<string, string>> = {
  id: "c.id",
  account_id: "c.account_id",
  created_at: "id_time(c.id)",
  completed_at: "id_time(c.id)",
};
const batch = 500_000;
const tasksPerAccount = 100;
/** One task in so many is of the account that is looked at. */
const ownShare = 10;

/** A history of two months like a finished task's, a tenth of it of the same account, straight in the database. */
export async function fillHistory(bed: Bed, taskId: string, tasks: number): Promise<void> {
  await withClient(bed.stack.databaseOwnerUrl, async (db) => {
    await db.query("set synchronous_commit = off");
    const { rows: indexes } = await db.query<{ name: string; definition: string }>(
      `select i.relname as name, replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') as definition
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relname = 'tasks' and i.relkind = 'I' and not x.indisunique`,
    );
    for (const { name } of indexes) await db.query(`drop index ${name}`);
    await db.query(
      `insert into accounts (id, name, open_tasks_max, webhook_secret)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Account ' || n, 10, 'whsec_'
       from generate_series(0, $1::int - 1) n`,
      [tasks / tasksPerAccount],
    );
    for (const months of [0, 1, 2])
      await db.query(
        `select create_partition(p_parent => 'tasks', p_rows_max => 1,
           p_month => date_trunc('month', now()) - $1::int * interval '1 month')`,
        [months],
      );
    const { rows: columns } = await db.query<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = 'tasks'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const names = columns.map(({ name }) => name);
    for (let from = 0; from < tasks; from += batch)
      await db.query(
        `insert into tasks (${names.join()})
         select ${names.map((name) => ownColumns[name] ?? `t.${name}`).join()}
         from tasks t, lateral (
           select (substr(id_floor(now() - interval '60 days' * n / $3::int::float8)::text, 1, 14) || '7'
             || substr(md5(n::text), 1, 3) || '-8000-' || substr(md5($1 || n), 1, 12))::uuid as id,
             case when n % ${ownShare} = 0 then t.account_id else
               ('00000000-0000-7000-8000-' || lpad(to_hex(n % ($3::int / ${tasksPerAccount})), 12, '0'))::uuid end as account_id
           from generate_series($2::int + 1, $2::int + ${batch}) n offset 0) c
         where t.id = $1::uuid`,
        [taskId, from, tasks],
      );
    for (const { definition } of indexes) await db.query(definition);
    await db.query("analyze tasks");
  });
}
