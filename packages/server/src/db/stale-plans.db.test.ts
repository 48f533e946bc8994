import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { findTask } from "../tasks/queries.ts";
import { openConnections } from "./connections.ts";
import { type Db, inTransaction, openDatabase } from "./database.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed({ DATABASE_CONNECTIONS_MAX: "3" });
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

let columns = 0;
const addColumn = (table: string) =>
  bed.database.sql(`alter table ${table} add column later_${++columns} text`);

/** Runs the work on so many connections at once, so that each has its plan. */
async function onEach(db: Db, connections: number, work: (db: Db) => Promise<unknown>) {
  let arrived = 0;
  const all = Promise.withResolvers<void>();
  const one = (connection: Db) =>
    work(connection).then(() => {
      arrived += 1;
      if (arrived === connections) all.resolve();
      return all.promise;
    });
  await Promise.all(Array.from({ length: connections }, () => db.connection().execute(one)));
}

const readAll = (db: Db) => sql<{ id: string }>`select * from accounts limit 1`.execute(db);

test("a query whose plan a new column made stale is repeated, and its connection dropped", async () => {
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  const db = openDatabase(pool);
  await bed.openAccount();
  await readAll(db);
  const [before] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows;
  await addColumn("accounts");
  expect((await readAll(db)).rows).toHaveLength(1);
  const [after] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows;
  expect(after?.pid).not.toBe(before?.pid);
  await db.destroy();
});

test("a named query of the pool and a function are repeated as well", async () => {
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  await bed.openAccount();
  const named = { name: "all", text: "select * from accounts where id is not null limit 1" };
  const first = await pool.query(named);
  expect((await pool.query("select $1::integer as n", [7])).rows).toEqual([{ n: 7 }]);
  await bed.database.sql(
    "create function found() returns accounts language sql as 'select * from accounts limit 1'",
  );
  const call = { name: "found", text: "select * from found()" };
  await pool.query(call);
  await addColumn("accounts");
  expect((await pool.query(named)).fields).toHaveLength(first.fields.length + 1);
  expect((await pool.query(call)).fields).toHaveLength(first.fields.length + 1);
  await bed.database.sql("drop function found()");
  await pool.end();
});

test("a transaction that met a stale plan is run again from its beginning, on a connection without one", async () => {
  const { db } = bed.ctx;
  const { id } = await bed.openAccount();
  await onEach(db, 3, readAll);
  await addColumn("accounts");
  let runs = 0;
  const account = await inTransaction(db, async (tx) => {
    runs += 1;
    await tx
      .updateTable("accounts")
      .set({ webhook_tail_hours: sql`webhook_tail_hours + 1` })
      .where("id", "=", id)
      .execute();
    await readAll(tx);
    return tx
      .selectFrom("accounts")
      .select("webhook_tail_hours as hours")
      .where("id", "=", id)
      .executeTakeFirst();
  });
  expect(runs).toBe(2);
  expect(account).toEqual({ hours: 1 }); // only the second run counts
});

test("tasks are accepted, read and finished without an error while columns are added to every table they touch", async () => {
  const account = await bed.openAccount({ openTasksMax: 1_000 });
  const run = async () => {
    const body = { model: "sd2" as const, inputs: { prompt: "a" } };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    expect(await findTask(bed.ctx.db, taskId)).toMatchObject({ status: "PENDING" });
    expect(await finishTask(bed.ctx, taskId, { kind: "failed", code: "task_broken" })).toBe(true);
    expect(await findTask(bed.ctx.db, taskId)).toMatchObject({ status: "FAILED" });
  };
  const tables = ["tasks", "accounts", "api_keys", "open_tasks", "transfers", "entries"];
  for (const table of [...tables, "idempotency_keys", "deliveries", "events"]) {
    await Promise.all([run(), run(), run(), run()]);
    await addColumn(table);
  }
  await Promise.all([run(), run(), run(), run()]);
});

test("no source reads all columns of a table", async () => {
  const sources = join(import.meta.dirname, "..");
  const names = (await readdir(sources, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const all =
    /\b(selectAll|returningAll)\(|\b(select|returning)\s+(\w+\.)?\*(?!\s+from \$\{name\}\(|\s+from \()/i;
  const found: string[] = [];
  for (const name of names)
    if (all.test(await readFile(join(sources, name), "utf8"))) found.push(name);
  expect(names.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
