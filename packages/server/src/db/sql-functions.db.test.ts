import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../test/harness/fresh-database.ts";

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** The types in the code of an argument or a column of each SQL type, without null. */
const codeTypes: Readonly<Record<string, string>> = {
  uuid: "string",
  text: "string",
  bytea: "string",
  timestamptz: "Date",
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float8: "number",
  jsonb: "json",
};

interface SqlFunction {
  /** Names and types, as the code sees them; with `?` what has a default. */
  takes: string[];
  returns: string[];
  body: string;
}

/** Every function of the migrated database. */
async function readFunctions(): Promise<Map<string, SqlFunction>> {
  const rows = await database.sql<{
    name: string;
    body: string;
    names: string[];
    modes: string[] | null;
    types: string[];
    inputs: number;
    defaults: number;
    result: string;
  }>(`
    select p.proname as name, p.prosrc as body, coalesce(p.proargnames, '{}') as names,
           p.proargmodes::text[] as modes, p.pronargs as inputs, p.pronargdefaults as defaults,
           p.prorettype::regtype::text as result,
           array(select t.typname::text from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]))
                   with ordinality as a (type, n) join pg_type t on t.oid = a.type order by n) as types
    from pg_proc p where p.pronamespace = 'public'::regnamespace`);
  return new Map(
    rows.map(({ name, body, names, modes, types, inputs, defaults, result }) => {
      const described = names.map((each, n) => ({
        isInput: (modes?.[n] ?? "i") === "i",
        text: `${each.replace(/^p_/, "")}: ${codeTypes[types[n] ?? ""] ?? types[n]}`,
      }));
      const takes = described.filter(({ isInput }) => isInput).map(({ text }) => text);
      const columns = described.filter(({ isInput }) => !isInput).map(({ text }) => text);
      const isValue = columns.length === 0 && result !== "void";
      return [
        name,
        {
          takes: takes.map((text, n) => (n < inputs - defaults ? text : `${text}?`)),
          returns: isValue ? [`${name}: ${result}`] : columns,
          body,
        },
      ];
    }),
  );
}

/** The fields that a function reads from the JSON of a row. */
function fieldsOf({ body }: SqlFunction): string[] {
  const lists = [...body.matchAll(/json_to_record(?:set)?\(\w+\) as t \(([^)]*)\)/g)];
  const list = lists.map(([, found = ""]) => found).sort((a, b) => b.length - a.length)[0] ?? "";
  return list.split(",").flatMap((field) => {
    const [name = "", type = ""] = field.trim().split(/\s+/);
    return name === "place" ? [] : [`${name}: ${codeTypes[shortTypes[type] ?? type] ?? type}`];
  });
}

const shortTypes: Readonly<Record<string, string>> = {
  boolean: "bool",
  smallint: "int2",
  integer: "int4",
  bigint: "int8",
};

interface Written {
  takes: string[];
  returns: string[];
}

/** Reads the functions from the source of their types: a field per line. */
async function readWritten(kind: "SqlFunctions" | "BatchFunctions"): Promise<Map<string, Written>> {
  const source = await readFile(new URL("sql-functions.ts", import.meta.url), "utf8");
  const start = source.indexOf(`export interface ${kind} {`);
  const written = new Map<string, Written>();
  let name = "";
  let section: keyof Written = "takes";
  for (const line of source.slice(start, source.indexOf("\n}", start)).split("\n").slice(1)) {
    const [, field, type] = /^ {6}(\w+): (.+);$/.exec(line) ?? [];
    const [, opened] = /^ {2}(\w+): \{$/.exec(line) ?? [];
    const [, part] = /^ {4}(takes|returns): (?:\{|object;)$/.exec(line) ?? [];
    if (opened !== undefined) {
      name = opened;
      written.set(name, { takes: [], returns: [] });
    } else if (part !== undefined) section = part as keyof Written;
    else if (field !== undefined && type !== undefined)
      written.get(name)?.[section].push(`${field}: ${baseOf(type.replaceAll(" | null", ""))}`);
    else if (!/^\s*\};$/.test(line)) throw new Error(`this line is no function or field: ${line}`);
  }
  return written;
}

/** A name that is not listed here is that of a string: an id, or a union of literals. */
function baseOf(type: string): string {
  if (type === "unknown") return "json";
  return ["number", "boolean", "Date"].includes(type) ? type : "string";
}

test("the code sends every function the arguments that it has, and reads the columns that it returns", async () => {
  const functions = await readFunctions();
  const written = await readWritten("SqlFunctions");
  expect(written.size).toBeGreaterThan(10);
  for (const [name, { takes, returns }] of written) {
    const found = functions.get(name);
    // jsonb is sent as its text
    const inputs = (found?.takes ?? []).map((text) => text.replace(": json", ": string"));
    const optional = inputs.filter((text) => text.endsWith("?")).map((text) => text.slice(0, -1));
    const required = inputs.filter((text) => !text.endsWith("?"));
    const sent = takes.filter((text) => !optional.includes(text));
    expect({ name, takes: sent, returns }).toEqual({
      name,
      takes: required,
      returns: found?.returns,
    });
  }
});

test("the code sends every batch function the fields that it reads from a row, and reads the columns that it returns", async () => {
  const functions = await readFunctions();
  const written = await readWritten("BatchFunctions");
  expect(written.size).toBeGreaterThan(5);
  for (const [name, { takes, returns }] of written) {
    const found = functions.get(name);
    expect(found?.takes, name).toEqual(["rows: json", "wait: string"]);
    const rows = {
      name,
      fields: takes,
      returns: ["place: number", "is_busy: boolean", ...returns],
    };
    expect(rows).toEqual({
      name,
      fields: found && fieldsOf(found),
      returns: found?.returns,
    });
  }
});

test("every function that a statement of the code calls by the names of its arguments has them", async () => {
  const functions = await readFunctions();
  const sources = join(import.meta.dirname, "..");
  const names = (await readdir(sources, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const calls: string[] = [];
  for (const source of names) {
    const text = await readFile(join(sources, source), "utf8");
    for (const [, called = "", args = ""] of text.matchAll(/\b([a-z_]+)\((p_\w+ => [^`"]*)/g)) {
      const known = (functions.get(called)?.takes ?? []).map((each) => `p_${each.split(":")[0]}`);
      const sent = [...args.matchAll(/\b(p_\w+) =>/g)].map(([, name]) => name);
      calls.push(called);
      expect(known, `${called} in ${source}`).toEqual(expect.arrayContaining(sent));
    }
  }
  expect(calls).toEqual(expect.arrayContaining(["detach_partition", "default_months"]));
});
