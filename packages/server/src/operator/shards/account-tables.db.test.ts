import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../../test/harness/fresh-database.ts";
import { historyTables, mediaTable, openTables, stayingTables } from "./account-tables.ts";

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** Columns by which a row belongs to an account, or to something of one. */
const owners = [
  "account_id",
  "task_id",
  "delivery_id",
  "asset_id",
  "endpoint_id",
  "key_id",
  "cause_id",
];

test("every table with rows of accounts moves with them or is said to stay", async () => {
  const tables = await database.sql<{ name: string }>(
    `select distinct c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and (a.attname = any ($1) or f.confrelid = any ($2::regclass[]))`,
    [owners, `{accounts,api_keys,assets,asset_uploads,webhook_endpoints,upscales}`],
  );
  const moving = [
    ...historyTables.flatMap(({ table, followers }) => [table, ...followers.map((f) => f.table)]),
    ...openTables.map(({ table }) => table),
  ];
  const known = new Set([...moving, mediaTable.table, ...Object.keys(stayingTables)]);
  expect(tables.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  const all = await database.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const there = new Set(all.map(({ name }) => name));
  expect([...known].filter((name) => !there.has(name))).toEqual([]);
});

test("rows are the same by a key that the database has as well", async () => {
  const unique = await database.sql<{ name: string; columns: string[] }>(
    `select i.indrelid::regclass::text as name,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = i.indrelid and a.attnum = any (i.indkey) order by 1) as columns
     from pg_index i where i.indisunique and i.indpred is null`,
  );
  const has = new Set(unique.map(({ name, columns }) => `${name} ${columns}`));
  const shapes = [
    ...historyTables,
    ...historyTables.flatMap((t) => t.followers),
    ...openTables,
    mediaTable,
  ];
  const missing = shapes.filter((shape) => !has.has(`${shape.table} ${[...shape.unique].sort()}`));
  expect(missing.map(({ table }) => table)).toEqual([]);
});
