import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../test/harness/fresh-database.ts";
import { migrate } from "./migrate.ts";

let database: FreshDatabase;
let files: string;
const cleanUp = new AsyncDisposableStack();
beforeEach(async () => {
  database = await freshDatabase();
  await database.sql("truncate migrations"); // the tests bring files of their own
  files = cleanUp.use(await makeScratch("functions")).path;
  await mkdir(join(files, "functions"));
});
afterEach(() => database.drop());

const write = (name: string, text: string) =>
  writeFile(join(files, "functions", `${name}.sql`), text);
const run = () => migrate(database.ownerUrl, { dir: pathToFileURL(`${files}/`) });
const answer = (args: string, body: string) =>
  `create or replace function answer(${args}) language sql as $$ ${body} $$;`;
const readAnswer = async (call: string) => (await database.sql(`select ${call} as answer`))[0];

test("a function is applied when its text is new or has changed, and only then", async () => {
  await write("answer", answer("out n integer", "select 1"));
  expect(await run()).toEqual(["functions/answer.sql"]);
  expect(await run()).toEqual([]);
  await write("answer", answer("out n integer", "select 2"));
  expect(await run()).toEqual(["functions/answer.sql"]);
  expect(await readAnswer("answer()")).toEqual({ answer: 2 });
  await database.sql("drop function answer()"); // as a restore of a part would
  expect(await run()).toEqual(["functions/answer.sql"]);
});

test.each([
  ["the names of its arguments", "p_b integer, out n integer", "answer(p_b => 3)", 3],
  ["its result", "p_b integer, out n text", "answer(p_b => 3)", "3"],
  ["the types of its arguments", "p_b text, out n integer", "answer(p_b => '3')", 3],
  [
    "an argument with a default",
    "p_a integer, p_b integer default 1, out n integer",
    "answer(p_a => 3)",
    3,
  ],
])(
  "a function that changes %s is replaced: there is one of its name",
  async (_name, args, call, n) => {
    await write("answer", answer("p_a integer, out n integer", "select p_a"));
    await run();
    const type = args.includes("out n text") ? "text" : "integer";
    await write("answer", answer(args, `select ${args.split(" ")[0]}::${type}`));
    expect(await run()).toEqual(["functions/answer.sql"]);
    expect(await readAnswer(call)).toEqual({ answer: n });
    const found = await database.sql("select from pg_proc where proname = 'answer'");
    expect(found).toHaveLength(1);
  },
);

test("functions are applied all or none: one that is broken is refused with the others", async () => {
  await write("answer", answer("out n integer", "select 1"));
  await write("broken", "create or replace function other() returns void language sql as $$ $$;");
  await expect(run()).rejects.toThrow("does not create exactly one function broken");
  const found = await database.sql("select from pg_proc where proname = 'answer'");
  expect(found).toEqual([]);
});

test("a migration can use the functions that its first line names", async () => {
  await write("answer", answer("out n integer", "select 7"));
  const text = "-- functions: answer\ncreate table answers (n integer default answer());";
  await writeFile(join(files, "0100-answers.sql"), text);
  expect(await run()).toEqual(["functions/answer.sql", "0100-answers.sql"]);
  await writeFile(join(files, "0101-more.sql"), "-- functions: missing\nselect 1;");
  await expect(run()).rejects.toThrow("there is no file functions/missing.sql");
});

test("every function of the database has its file, and every file is applied", async () => {
  const dir = new URL("../../migrations/functions/", import.meta.url);
  const names = (await readdir(dir)).map((file) => file.replace(/\.sql$/, "")).sort();
  const found = await database.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname collate "C"`,
  );
  expect(found.map(({ name }) => name)).toEqual(names);
  for (const name of names) {
    const text = await readFile(new URL(`${name}.sql`, dir), "utf8");
    expect(text).toContain(`create or replace function ${name}(`);
  }
});
