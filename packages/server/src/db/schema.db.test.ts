import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../test/harness/fresh-database.ts";

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** The value types that the driver returns for each column type of the migrations. */
const driverTypes: Readonly<Record<string, string>> = {
  uuid: "string",
  text: "string",
  _text: "array",
  _cidr: "array",
  bool: "boolean",
  bytea: "Buffer",
  int2: "number",
  int4: "number",
  int8: "number",
  float8: "number",
  timestamptz: "Date",
  jsonb: "json",
  inet: "string",
};

/** Every column of every table, without partitions and what `migrate` keeps for itself. */
async function readColumns(): Promise<string[]> {
  const rows = await database.sql<{
    path: string;
    type: string;
    isNullable: boolean;
    hasDefault: boolean;
  }>(`
    select format('%s.%s', c.relname, a.attname) as path, t.typname as type, not a.attnotnull as "isNullable",
           a.atthasdef or a.attidentity <> '' as "hasDefault"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('migrations', 'functions')`);
  return rows.map(({ path, type, isNullable, hasDefault }) =>
    describeColumn(path, driverTypes[type] ?? type, isNullable, hasDefault),
  );
}

/** Whether a column has a default matters only where it must have a value. */
function describeColumn(path: string, value: string, isNullable: boolean, hasDefault: boolean) {
  if (isNullable) return `${path}: ${value} | null`;
  return `${path}: ${value}${hasDefault ? ", has a default" : ""}`;
}

/** Parses the source of the row types: a table per block, a column per line, comments of any length. */
function parseRowTypes(source: string): string[] {
  let table: string | undefined;
  const columns: string[] = [];
  const tables = source.slice(source.indexOf("Tables {")).replaceAll(/\/\*\*.*?\*\//gs, "");
  for (const line of tables.split("\n").slice(1)) {
    const [, name, type] = /^ {4}(\w+): (.+);$/.exec(line) ?? [];
    if (/^ {2}\w+: \{$/.test(line)) table = line.slice(2, -3);
    else if (table !== undefined && name !== undefined && type !== undefined)
      columns.push(describeType(`${table}.${name}`, type));
    else if (!/^\s*(\};?)?$/.test(line))
      throw new Error(`this line is no table or column: ${line}`);
  }
  return columns;
}

function describeType(path: string, type: string): string {
  const isGenerated = type.startsWith("Generated<");
  const isNullable = /\bnull\b/.test(type);
  const bare = type.replace(/^Generated<(.*)>$/, "$1").replaceAll(" | null", "");
  return describeColumn(path, baseOf(bare), isNullable, isGenerated);
}

/** A name that is not listed here is that of a string: an id, or a union of literals. */
function baseOf(type: string): string {
  if (/^(Json|ColumnType)</.test(type)) return "json";
  if (type.endsWith("[]")) return "array";
  if (type === "AssetId") return "number";
  return ["number", "boolean", "Date", "Buffer"].includes(type) ? type : "string";
}

test("the row types have every table and column of the migrated database, with its type and whether it can be null", async () => {
  const dir = new URL("tables/", import.meta.url);
  const sources = (await readdir(dir)).map((file) => readFile(new URL(file, dir), "utf8"));
  const typed = (await Promise.all(sources)).flatMap(parseRowTypes);
  expect(typed.length).toBeGreaterThan(150);
  expect(typed.sort()).toEqual((await readColumns()).sort());
});
