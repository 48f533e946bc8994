import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../../test/harness/check-money.ts";
import { endings } from "../../../test/harness/endings.ts";
import {
  body,
  move,
  openShardsBed,
  other,
  type ShardIndex,
  type ShardsBed,
} from "../../../test/harness/shards-bed.ts";
import type { TestBed } from "../../../test/harness/test-context.ts";
import type { Caller } from "../../accounts/queries.ts";
import { grantCredits } from "../../credits/ledger.ts";
import { isAccountMoved } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import { createTask } from "../../generation/create-task.ts";
import type { TaskId } from "../../ids.ts";
import { finishTask } from "../../tasks/finish-task.ts";
import { forgetMoved } from "./forget-moved.ts";

let shards: ShardsBed;
let beds: ShardsBed["beds"];
let sides: ShardsBed["sides"];
beforeAll(async () => {
  shards = await openShardsBed();
  ({ beds, sides } = shards);
});
afterAll(() => shards[Symbol.asyncDispose]());

/** Does something where the account lives, however often it has to ask. */
async function wherever<Result>(work: (bed: TestBed) => Promise<Result | false>): Promise<Result> {
  for (let shard: ShardIndex = 0; ; shard = other(shard))
    try {
      const result = await work(beds[shard]);
      if (result !== false) return result;
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === "account_busy";
      const isRepeated = error instanceof ApiError && error.code === "request_in_progress";
      if (!isBusy && !isRepeated && !isAccountMoved(error)) throw error;
    }
}

test("nothing is lost or done twice while an account that creates, ends and is granted moves to and fro", async () => {
  const caller: Caller = await beds[0].openAccount({ credits: 1_000_000, openTasksMax: 1_000 });
  const [isOver, granted, created] = [{ value: false }, { credits: 0 }, [] as TaskId[]];
  const ended: TaskId[] = [];
  const live = async (worker: number) => {
    while (!isOver.value) {
      const key = `${worker}-${randomUUID()}`;
      const { taskId } = await wherever(({ ctx }) => createTask(ctx, caller, body, key));
      created.push(taskId);
      const again = await wherever(({ ctx }) => createTask(ctx, caller, body, key));
      expect(again).toMatchObject({ taskId });
      await wherever(({ ctx }) =>
        grantCredits(ctx.pool, { accountId: caller.id, credits: 1, note: "more" }).then(() => true),
      );
      granted.credits += 1;
      if (worker % 2 === 0) continue;
      await wherever(({ ctx }) => finishTask(ctx, taskId, endings.COMPLETED));
      ended.push(taskId);
    }
  };
  const living = Promise.all([0, 1, 2, 3].map(live));
  let shard: ShardIndex = 0;
  for (let moves = 0; moves < 3; moves++) {
    const enough = created.length + 8;
    await expect.poll(() => created.length, { timeout: 120_000 }).toBeGreaterThan(enough);
    shard = other(shard);
    await move(shards, caller.id, shard);
    await forgetMoved(sides[other(shard)], caller.id);
  }
  isOver.value = true;
  await living;
  for (const bed of beds) await checkMoney(bed.database);
  const { database } = beds[shard];
  const tasks = await database.sql<{ id: TaskId; status: string }>(
    "select id, status from tasks where account_id = $1",
    [caller.id],
  );
  expect(tasks.map(({ id }) => id).sort()).toEqual([...created].sort());
  const completed = tasks.filter(({ status }) => status === "COMPLETED").map(({ id }) => id);
  expect(completed.sort()).toEqual([...ended].sort());
  const grants =
    "select sum(amount)::int as sum from transfers where account_id = $1 and kind = 'grant'";
  expect(await database.sql(grants, [caller.id])).toEqual([{ sum: 1_000_000 + granted.credits }]);
}, 300_000);
