import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectChanges } from "../../test/harness/collect-changes.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { openConnections } from "../db/connections.ts";
import { type AccountId, newId, type TaskId } from "../ids.ts";
import { createLog } from "../log.ts";
import { createAnnouncer } from "./announce-changes.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

test("a thousand changes at once are a handful of announcements, and none is lost or announced twice", async () => {
  await using announcements = await collectChanges(bed.database.ownerUrl);
  const accountId = newId<AccountId>(0);
  const taskIds = Array.from({ length: 1_000 }, () => newId<TaskId>(0));
  for (const taskId of [...taskIds, ...taskIds]) bed.ctx.changes.announce(taskId, accountId);
  await waitUntil("all are announced", () => announcements.ids().length >= 1_000, {
    timeoutMs: 300_000,
  });
  expect(announcements.ids().sort()).toEqual(taskIds.sort());
  expect(announcements.payloads.length).toBeLessThanOrEqual(12);
});

test("closing waits for what was announced", async () => {
  await using announcements = await collectChanges(bed.database.ownerUrl);
  const another = bed.openAnother();
  const taskId = newId<TaskId>(0);
  another.changes.announce(taskId, newId<AccountId>(0));
  await another.changes.close();
  await announcements.announced(taskId);
});

test("an announcement is not waited for to reach the disk, and what the connection does next is", async () => {
  const pool = openConnections(bed.database.serviceUrl, 1, "test");
  const announcer = createAnnouncer(pool, bed.ctx.log);
  announcer.announce(newId(0), newId(0));
  await announcer.close();
  const { rows: statements } = await pool.query<{ statement: string }>(
    "select statement from pg_prepared_statements where statement like '%pg_notify%'",
  );
  expect(statements).toHaveLength(1);
  expect(statements[0]?.statement).toContain("'synchronous_commit', 'off', true");
  const { rows } = await pool.query("show synchronous_commit");
  expect(rows).toEqual([{ synchronous_commit: "on" }]);
  await pool.end();
});

test("without a database announcing neither throws nor waits, and closing comes to an end", async () => {
  const pool = openConnections("postgres://127.0.0.1:9/none", 1, "test");
  const announcer = createAnnouncer(pool, createLog("silent", "test"));
  for (let n = 0; n < 30_000; n++) announcer.announce(newId(0), newId(0));
  await announcer.close();
  await pool.end();
});
