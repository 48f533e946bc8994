import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import type { Db } from "./db/database.ts";
import type { Database } from "./db/schema.ts";
import {
  type AccountId,
  type DeliveryId,
  isId,
  type KeyId,
  newId,
  parseAssetId,
  parseId,
  shardOf,
  shardsMax,
  type TaskId,
} from "./ids.ts";
import type { findTask } from "./tasks/queries.ts";

test("an id gives back the shard it was made with, for every shard", () => {
  for (let shard = 0; shard < shardsMax; shard++) expect(shardOf(newId(shard))).toBe(shard);
});

test("ids sort by the time they were made at, whatever their shard", () => {
  const time = fc.integer({ min: 0, max: 2 ** 47 });
  const shard = fc.integer({ min: 0, max: shardsMax - 1 });
  fc.assert(
    fc.property(time, time, shard, shard, (a, b, shardA, shardB) => {
      fc.pre(a < b);
      expect(newId(shardA, a) < newId(shardB, b)).toBe(true);
    }),
  );
});

test("what is not an id of ours is recognised as such", () => {
  expect(isId(newId(5))).toBe(true);
  const strange = ["", "1", "018f-", `${newId(0)}0`, newId(0).toUpperCase().replace(/^./, "G")];
  for (const text of strange) expect(isId(text)).toBe(false);
  expect(isId("123e4567-e89b-12d3-a456-426614174000")).toBe(false); // version 1
});

test("text from outside is an id of what it is said to name, or nothing", () => {
  const taskId = newId<TaskId>(3);
  expect(parseId<TaskId>(taskId)).toBe(taskId);
  for (const text of ["", "no-id", `${taskId} `]) expect(parseId<TaskId>(text)).toBeUndefined();
  expect(parseAssetId("42")).toBe(42);
  for (const text of ["", "0", "-1", "1.5", "4e2", taskId])
    expect(parseAssetId(text)).toBeUndefined();
});

// Checked by the compiler: a line that compiles although it should not is an error.
test("an id of one table is not accepted where that of another is wanted", () => {
  type FirstId = Parameters<typeof findTask>[1];
  type Column = Database["open_deliveries"]["delivery_id"];
  expectTypeOf<TaskId>().toExtend<FirstId>();
  expectTypeOf<DeliveryId>().toExtend<Column>();
  expectTypeOf<TaskId>().toExtend<string>();
  for (const wrong of [
    // @ts-expect-error an account is not a task
    (id: AccountId): FirstId => id,
    // @ts-expect-error nor is text from outside
    (id: string): FirstId => id,
    // @ts-expect-error nor is an id that may be of any table
    (id: AccountId | TaskId): FirstId => id,
    // @ts-expect-error a task is not a delivery
    (id: TaskId): Column => id,
    // @ts-expect-error a new id is of the table that is asked for
    (): Column => newId<KeyId>(0),
    // @ts-expect-error a number from outside is not an asset
    (id: number): Database["asset_reviews"]["asset_id"] => id,
    // @ts-expect-error a query compares a column only with its own ids
    (db: Db, id: AccountId) => db.selectFrom("tasks").select("id").where("id", "=", id),
  ])
    expect(wrong).toBeTypeOf("function");
});
