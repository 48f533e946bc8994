import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { migrate } from "./migrate.ts";

let bed: TestBed;
let reader: Client;
beforeAll(async () => {
  bed = await openTestBed();
  await bed.database.sql("truncate migrations"); // the tests bring files of their own
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Opens a transaction that has read the tables, as a backup or `ledger verify` does. */
beforeEach(async () => {
  reader = new Client({ connectionString: bed.database.serviceUrl, application_name: "a reader" });
  await reader.connect();
  await reader.query("begin isolation level repeatable read read only");
  await reader.query("select count(*) from tasks");
});
afterEach(() => reader.end());

async function withMigration<Result>(
  name: string,
  text: string,
  work: (dir: URL) => Promise<Result>,
): Promise<Result> {
  await using scratch = await makeScratch("migrations");
  await writeFile(join(scratch.path, name), text);
  return await work(pathToFileURL(`${scratch.path}/`));
}

test("a migration behind a long reader lets tasks be created meanwhile, says what it waits for, and is applied when the reader is gone", async () => {
  const account = await bed.openAccount({ credits: 1_000_000_000, openTasksMax: 1_000_000 });
  const create = () =>
    createTask(bed.ctx, account, { model: "sd2", inputs: { prompt: "a" } }, null);
  await withMigration("0100-late.sql", "alter table tasks add column late text;", async (dir) => {
    const waits: string[] = [];
    const enough = Promise.withResolvers<void>();
    const migrating = migrate(bed.database.ownerUrl, {
      dir,
      onWait(message) {
        waits.push(message);
        if (waits.length === 3) enough.resolve();
      },
    });
    let isWaiting = true;
    const creating = (async () => {
      while (isWaiting) await create(); // throws when one of them had to wait too long
    })();
    await Promise.race([enough.promise, migrating, creating]);
    isWaiting = false;
    await creating;
    expect(waits[0]).toMatch(/0100-late\.sql waits for a lock\..*a reader/);
    await reader.query("commit");
    expect(await migrating).toEqual(["0100-late.sql"]);
  });
  await create();
});

test("a migration that gets no lock in time changes nothing and names who is in the way", async () => {
  const text = "create table never (); alter table tasks add column never text;";
  await withMigration("0101-never.sql", text, async (dir) => {
    const migrating = migrate(bed.database.ownerUrl, { dir, waitMsMax: 1_000 });
    await expect(migrating).rejects.toThrow(/0101-never\.sql is not applied: .*a reader/);
  });
  const [row] = await bed.database.sql("select to_regclass('never') as never");
  expect(row).toEqual({ never: null });
});

test("two migrations at once take turns", async () => {
  await withMigration("0102-turns.sql", "create table turns ();", async (dir) => {
    const both = [migrate(bed.database.ownerUrl, { dir }), migrate(bed.database.ownerUrl, { dir })];
    expect((await Promise.all(both)).flat()).toEqual(["0102-turns.sql"]);
  });
});

test("a file without a transaction builds an index concurrently, while tasks are created", async () => {
  await reader.query("commit");
  const text = `-- no transaction
drop index concurrently if exists by_model;
create index concurrently by_model
  on open_tasks (vendor_account, deadline_at);
alter table open_tasks add column if not exists by_model text;
`;
  await withMigration("0103-index.sql", text, async (dir) => {
    expect(await migrate(bed.database.ownerUrl, { dir })).toEqual(["0103-index.sql"]);
    expect(await migrate(bed.database.ownerUrl, { dir })).toEqual([]);
  });
  const found = await bed.database.sql(
    "select indisvalid as valid from pg_index where indexrelid = 'by_model'::regclass",
  );
  expect(found).toEqual([{ valid: true }]);
});
