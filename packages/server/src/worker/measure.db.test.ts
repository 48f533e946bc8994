import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { createMeasures } from "./measure.ts";

let bed: TestBed;
let measures: ReturnType<typeof createMeasures>;
beforeEach(async () => {
  bed = await openTestBed();
  measures = createMeasures(bed.ctx);
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  for (let n = 0; n < 2; n++) await createTask(bed.ctx, account, body, null);
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
