import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestBed } from "../../test/harness/test-context.ts";
import { openConnections } from "./connections.ts";
import { isUnavailable, openDatabase } from "./database.ts";

test("a connection plans a query once, whatever its values", async () => {
  await using bed = await openTestBed();
  const db = openDatabase(openConnections(bed.database.serviceUrl, 1, "test"));
  for (let n = 0; n < 8; n++)
    await sql`select count(*) from tasks where model = ${`m${n}`}`.execute(db);
  const { rows } = await sql<{ plans: string }>`
    select generic_plans || ' generic, ' || custom_plans || ' custom' as plans
    from pg_prepared_statements where statement like 'select count(*) from tasks%'`.execute(db);
  await db.destroy();
  expect(rows).toEqual([{ plans: "8 generic, 0 custom" }]);
});

test("queries without end do not fill a connection with plans", async () => {
  await using bed = await openTestBed();
  const db = openDatabase(openConnections(bed.database.serviceUrl, 1, "test"));
  for (let n = 0; n < 600; n++) await sql`select ${sql.raw(String(n))} as n`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_prepared_statements`.execute(db);
  await db.destroy();
  expect(rows[0]?.count).toBeLessThanOrEqual(500);
});

test("a connection whose statement is refused keeps its plans, one that the server closed is replaced", async () => {
  await using bed = await openTestBed();
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  const pid = async () => {
    const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid;
  };
  const first = await pid();
  await expect(pool.query("select 1 / 0")).rejects.toThrow("division by zero");
  expect(await pid()).toBe(first);
  await pool.query("set statement_timeout = 20");
  await expect(pool.query("select pg_sleep(60)")).rejects.toThrow("statement timeout");
  expect(await pid()).toBe(first);
  await expect(pool.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toThrow();
  expect(await pid()).not.toBe(first);
  await pool.end();
});

test("a statement without an answer in time ends its connection and says that the database is unavailable", async () => {
  await using bed = await openTestBed();
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  const pid = "select pg_backend_pid() as pid";
  const { rows: before } = await pool.query(pid);
  const late = { text: "select pg_sleep(60)", answerMsMax: 20 };
  const refused = await pool.query(late).catch((error: unknown) => error);
  expect(isUnavailable(refused)).toBe(true);
  expect((await pool.query(pid)).rows).not.toEqual(before);
  await pool.end();
});

test("a value that cannot be sent is a mistake of ours, and its connection is not used again", async () => {
  await using bed = await openTestBed();
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  const endless: Record<string, unknown> = {};
  endless["self"] = endless;
  const refused = await pool.query("select $1", [endless]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TypeError);
  expect(isUnavailable(refused)).toBe(false);
  expect((await pool.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await pool.end();
});

test("a connection to a server that has become a standby is not used again", async () => {
  await using bed = await openTestBed();
  const db = openDatabase(openConnections(bed.database.serviceUrl, 1, "test"));
  const write = () => sql`delete from processes where host = 'nowhere'`.execute(db);
  await sql`set session characteristics as transaction read only`.execute(db); // as on a standby
  const refused = await write().catch((error: unknown) => error);
  expect(isUnavailable(refused)).toBe(true);
  await write();
  await db.destroy();
});
