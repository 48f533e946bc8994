import { afterEach, beforeEach, expect, test } from "vitest";
import { fillQueue } from "../../test/harness/review-bed.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import {
  insertVendorAccount,
  noteBudgetSpent,
  setPaused,
  takeCredits,
} from "../routing/queries.ts";
import { storedCredentials } from "../routing/read-vendor-account.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createMeasures } from "./measure.ts";

let bed: TestBed;
let measures: ReturnType<typeof createMeasures>;
beforeEach(async () => {
  bed = await openTestBed();
  measures = createMeasures(bed.ctx);
  const vendorAccount = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  for (let n = 0; n < 2; n++) await createTask(bed.ctx, vendorAccount, body, null);
});
afterEach(() => bed[Symbol.asyncDispose]());

async function shown(name: string): Promise<string | undefined> {
  const lines = (await bed.ctx.renderMetrics()).split("\n");
  return lines.find((line) => line.startsWith(`zoetrope_${name} `))?.split(" ")[1];
}

test("what has not been measured is not shown", async () => {
  expect(await shown("open_tasks_overdue")).toBeUndefined();
  expect(await shown("ledger_breaches")).toBeUndefined();
});

test("open tasks are counted by age, and those past their deadline", async () => {
  await measures.measure();
  expect(await shown('open_tasks{age="under_1m"}')).toBe("2");
  expect(await shown('open_tasks{age="over_3h"}')).toBe("0");
  expect(await shown("open_tasks_overdue")).toBe("0");
  await bed.database.sql("update open_tasks set deadline_at = now() - interval '2 minutes'");
  await bed.database.sql(
    `update open_tasks set task_id = id_floor(now() - interval '4 hours')
     where task_id = (select task_id from open_tasks order by task_id limit 1)`,
  );
  await measures.measure();
  expect(await shown('open_tasks{age="under_1m"}')).toBe("1");
  expect(await shown('open_tasks{age="over_3h"}')).toBe("1");
  expect(await shown("open_tasks_overdue")).toBe("2");
  expect(Number(await shown("open_task_oldest_age_seconds"))).toBeGreaterThanOrEqual(14_400);
});

test("assets that wait for a review are counted, with the age of the oldest", async () => {
  await measures.measure();
  expect(await shown("reviews_waiting")).toBe("0");
  expect(await shown("review_oldest_age_seconds")).toBe("0");
  const vendorAccount = await bed.openAccount();
  await fillQueue(bed, vendorAccount.id, 2);
  await bed.database.sql("update open_reviews set asked_at = now() - interval '2 hours'");
  await measures.measure();
  expect(await shown("reviews_waiting")).toBe("2");
  expect(Number(await shown("review_oldest_age_seconds"))).toBeGreaterThanOrEqual(7_200);
});

test("a partition of the engine is silent from its last answer on, once it owes one", async () => {
  await bed.database.sql(
    `insert into engine_partitions (partition, asked_at, answered_at) values
       (0, now() - interval '2 minutes', now() - interval '1 minute'),
       (1, now(), now() - interval '2 minutes')`,
  );
  await measures.measure();
  expect(await shown('engine_partition_silent_seconds{partition="0"}')).toBe("0");
  const silent = Number(await shown('engine_partition_silent_seconds{partition="1"}'));
  expect(silent).toBeGreaterThanOrEqual(120);
});

test("an account that takes no submits is shown with the reason, and the others as open", async () => {
  const { db, refreshVendors, keyRing } = bed.ctx;
  if (keyRing === null) throw new Error("no key ring");
  const vendorAccount = (name: string) => ({
    name,
    kind: "ark",
    models: null,
    weight: 1,
    openJobsMax: null,
    creditsPerDayMax: 10,
    settings: { baseUrl: "http://127.0.0.1:9" },
    credentials: storedCredentials(keyRing, name, "k"),
  });
  for (const name of ["works", "paused", "spent", "broken"])
    await insertVendorAccount(db, vendorAccount(name));
  await setPaused(db, "paused", true);
  await noteBudgetSpent(db, "spent");
  await bed.database.sql("update vendor_accounts set credentials = 'x' where name = 'broken'");
  await refreshVendors();
  await measures.measure();
  const closed = async () =>
    (await bed.ctx.renderMetrics())
      .split("\n")
      .filter((line) => line.startsWith("zoetrope_vendor_account_closed{") && line.endsWith(" 1"));
  const of = (name: string, reason: string) =>
    `zoetrope_vendor_account_closed{vendor_account="${name}",reason="${reason}"} 1`;
  expect((await closed()).sort()).toEqual([
    of("broken", "unusable"),
    of("paused", "paused"),
    of("spent", "budget"),
  ]);
  expect(await shown('vendor_account_closed{vendor_account="works",reason="budget"}')).toBe("0");

  await setPaused(db, "paused", false);
  expect(await takeCredits(db, { name: "spent", credits: 10, creditsMax: 10 })).toBe(true);
  await refreshVendors();
  await measures.measure();
  expect(await closed()).toEqual([of("broken", "unusable")]);
});

test("the end of a task says whether it was a test", async () => {
  const ended = async (mode: string) =>
    Number(
      await shown(
        `tasks_finished_total{kind="generation",mode="${mode}",model="sd2",outcome="vendor_failed"}`,
      ),
    ) || 0;
  const rows = await bed.database.sql("select task_id::text as id from open_tasks");
  const [first, second] = rows.map(({ id }) => id as TaskId);
  if (first === undefined || second === undefined) throw new Error("no tasks");
  const outcome = { kind: "failed", code: "vendor_failed" } as const;
  await finishTask(bed.ctx, first, outcome);
  expect([await ended("live"), await ended("test")]).toEqual([1, 0]);
  const other = await bed.openAccount();
  await bed.database.sql("update accounts set test_of = $1 where id <> $1", [other.id]);
  await finishTask(bed.ctx, second, outcome);
  expect([await ended("live"), await ended("test")]).toEqual([1, 1]);
});

test.each([
  ["credits out of nowhere", "update accounts set credits = credits + 1"],
  ["a hold forgotten", "update accounts set held = 0"],
  ["a transfer is gone", "delete from transfers where number = 2"],
  ["the newest transfer is gone", "delete from transfers where number = 3"],
  ["all transfers are gone", "delete from transfers"],
  ["a number twice", "update transfers set number = 2 where number = 3"],
  ["a recorded balance is wrong", "update transfers set credits_after = 101 where number = 2"],
  ["the first grant is wrong", "update transfers set amount = 1 where number = 1"],
  ["an entry is changed", "update entries set amount = amount + 1 where book = 'held'"],
  ["an entry is gone", "delete from entries where kind = 'grant' and book = 'issued'"],
])("a walk over the accounts finds it when %s", async (_what, tampering) => {
  await measures.walk();
  expect(await shown("ledger_breaches")).toBe("0");
  await bed.database.sql("set session_replication_role = replica");
  await bed.database.sql(tampering);
  await measures.walk();
  expect(await shown("ledger_breaches")).toBe("1");
});

test("the walk goes on where it stopped, and its totals are those of all accounts", async () => {
  await bed.database.sql(
    `insert into accounts (id, name, webhook_secret)
     select id_floor(now() + n * interval '1 second'), 'n', 's' from generate_series(1, 1200) n`,
  );
  await bed.database.sql(
    "insert into account_libraries (account_id, stored_bytes) select id, 10 from accounts on conflict (account_id) do update set stored_bytes = 10",
  );
  await measures.walk();
  expect(await shown("stored_bytes")).toBeUndefined();
  await measures.walk();
  await measures.walk();
  const [all] = await bed.database.sql("select (10 * count(*))::text as bytes from accounts");
  expect(await shown("stored_bytes")).toBe(all?.["bytes"]);
});

test("after a repair the breach is shown until a whole walk has found none", async () => {
  await bed.database.sql("update accounts set credits = credits + 1");
  await measures.walk();
  expect(await shown("ledger_breaches")).toBe("1");
  await bed.database.sql("update accounts set credits = credits - 1");
  await measures.walk();
  expect(await shown("ledger_breaches")).toBe("0");
});
