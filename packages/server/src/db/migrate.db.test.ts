import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { newId } from "../ids.ts";
import { migrate } from "./migrate.ts";
import { ensurePartitions } from "./partitions.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const parents = [
  "transfers",
  "entries",
  "lot_uses",
  "tasks",
  "submissions",
  "deliveries",
  "attempts",
];

test("a task's rows land in the partition of their month", async () => {
  const account = await bed.openAccount();
  const { taskId } = await createTask(
    bed.ctx,
    account,
    { model: "sd2", inputs: { prompt: "a" } },
    null,
  );
  const month = new Date().toISOString().slice(0, 7).replace("-", "_");
  for (const [table, column] of [
    ["tasks", "id"],
    ["transfers", "cause_id"],
    ["entries", "cause_id"],
  ]) {
    const found = await bed.database.sql(
      `select distinct tableoid::regclass::text as partition from ${table} where ${column} = $1`,
      [taskId],
    );
    expect(found).toEqual([{ partition: `${table}_${month}` }]);
  }
});

test("the floor of a time is above every id made before it and below every id made from then on", async () => {
  const at = Date.UTC(2027, 2, 1);
  const [row] = await bed.database.sql<{ floor: string }>("select id_floor($1) as floor", [
    new Date(at),
  ]);
  const floor = row?.floor ?? "";
  expect(newId(1023, at - 1) < floor).toBe(true);
  expect(newId(0, at) > floor).toBe(true);
});

test("the service itself can make the next partitions, and again without harm", async () => {
  await ensurePartitions(bed.ctx.db);
  await ensurePartitions(bed.ctx.db);
  const ahead = new Date();
  ahead.setUTCMonth(ahead.getUTCMonth() + 2, 1);
  const month = ahead.toISOString().slice(0, 7).replace("-", "_");
  for (const parent of parents) {
    const [row] = await bed.database.sql("select to_regclass($1) is not null as exists", [
      `${parent}_${month}`,
    ]);
    expect(row).toEqual({ exists: true });
  }
});

test("a migration that was changed after it was applied is refused", async () => {
  expect(await migrate(bed.database.ownerUrl)).toEqual([]);
  await bed.database.sql("update migrations set sha256 = 'other'");
  await expect(migrate(bed.database.ownerUrl)).rejects.toThrow("was changed after it was applied");
});

test("the service cannot drop, truncate or delete what is history", async () => {
  for (const table of [...parents, "accounts", "api_keys"]) {
    const removal = bed.ctx.db.deleteFrom(table as "tasks").execute();
    await expect(removal).rejects.toThrow("permission denied");
  }
});
