import type { Db } from "../../db/database.ts";
import { appendOnly, mediaTable } from "./account-tables.ts";
import { mediaKeysOf } from "./media-keys.ts";
import { run } from "./sides.ts";

interface Shape {
  table: string;
  unique: readonly string[];
}

/** Rows as the JSON that the database gave: no number passes through JavaScript. */
export type Rows = readonly string[];

/** Writes rows as they are elsewhere; rows that are there already become the same. */
export async function writeRows(db: Db, { table, unique }: Shape, rows: Rows): Promise<void> {
  if (rows.length === 0) return;
  const columns = await listColumns(db, table);
  const names = columns.join(", ");
  const changed = columns.filter((column) => !unique.includes(column));
  const settle =
    appendOnly.has(table) || changed.length === 0
      ? "nothing"
      : `update set ${changed.map((column) => `${column} = excluded.${column}`).join(", ")}`;
  await run(
    db,
    `insert into ${table} (${names}) overriding system value
     select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     on conflict (${unique.join(", ")}) do ${settle}`,
    [`[${rows.join(",")}]`],
  );
}

/** The columns of each table, for all databases: a move first checks that both have the same schema. */
const columnsOf = new Map<string, Promise<string[]>>();

/** Reads the columns of all tables before writes have to wait for it. */
export async function readAllColumns(db: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables) await listColumns(db, table);
}

function listColumns(db: Db, table: string): Promise<string[]> {
  const columns = columnsOf.get(table) ?? readColumns(db, table);
  columnsOf.set(table, columns);
  return columns;
}

async function readColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await run<{ name: string }>(
    db,
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Reads the records of the objects in storage that rows name. */
export async function readMedia(db: Db, table: string, rows: Rows): Promise<Rows> {
  const keys = mediaKeysOf(table, rows);
  if (keys.length === 0) return [];
  return readJson(
    db,
    `select to_jsonb(t)::text as row from ${mediaTable.table} t where t.key = any ($1)`,
    [keys],
  );
}

export async function readJson(db: Db, text: string, values: readonly unknown[]): Promise<Rows> {
  const { rows } = await run<{ row: string }>(db, text, values);
  return rows.map(({ row }) => row);
}
