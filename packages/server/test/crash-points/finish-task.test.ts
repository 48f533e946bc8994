import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { openConnections } from "../../src/db/connections.ts";
import { createTask } from "../../src/generation/create-task.ts";
import type { TaskId } from "../../src/ids.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { expireTasks } from "../../src/tasks/sweep.ts";
import { states } from "../harness/account-state.ts";
import { endings } from "../harness/endings.ts";
import { openTestBed, type TestBed } from "../harness/test-context.ts";
import { type Account, around, body, expectState, openAccount } from "./crash-bed.ts";
import { startFinish, withConnectionCheck, withoutTimeLimits } from "./crash-processes.ts";
import { type CrashPoint, installCrashPoints } from "./install-crash-points.ts";
import { layLine } from "./lay-line.ts";

let bed: TestBed;
let crash: Awaited<ReturnType<typeof installCrashPoints>>;
beforeAll(async () => {
  bed = await openTestBed();
  crash = await installCrashPoints(bed.database);
});
afterEach(async () => {
  await crash.clear();
  await bed.database.sql("update open_tasks set deadline_at = now() + interval '1 day'");
});
afterAll(() => bed[Symbol.asyncDispose]());

type Status = keyof typeof endings;

describe("finishTask", () => {
  const writes: [string, CrashPoint][] = [
    ["after the open task's removal", "delete on open_tasks"],
    ["after the task's last status", "update on tasks"],
    ["after the account's row", "update on accounts"],
    ["after the settlement's transfer", "insert on transfers"],
    ["after the settlement's entries", "insert on entries"],
    ["after the usage of the hour", "insert on usage_hours"],
    ["after the usage of the day", "insert on usage_days"],
    ["after the delivery", "insert on deliveries"],
    ["after the open delivery", "insert on open_deliveries"],
    ["at the commit", "commit"],
  ];
  const statuses = ["COMPLETED", "FAILED"] as const;
  const points = [
    ...statuses.flatMap((status) => writes.map(([when, point]) => ({ when, point, status }))),
    { when: "after the key's budget", point: "update on api_keys", status: "FAILED" },
  ] as const;

  async function acceptOne(status: Status): Promise<{ account: Account; taskId: TaskId }> {
    const account = await openAccount(bed);
    const { taskId } = await createTask(bed.ctx, account, body, "once");
    if (status === "FAILED")
      await bed.database.sql("update open_tasks set deadline_at = now() where task_id = $1", [
        taskId,
      ]);
    return { account, taskId };
  }

  /**
   * Repeats an end as in production: a failure by the sweep, a result by the engine. Returns the number of
   * ended tasks.
   */
  async function repeat(taskId: TaskId, status: Status): Promise<number> {
    if (status === "FAILED") return expireTasks(bed.ctx);
    return Number(await finishTask(bed.ctx, taskId, endings[status]));
  }

  /** Repeats until the lock is free: a wait for a lock is bounded. */
  async function repeatUntil(isOver: () => boolean, taskId: TaskId, status: Status) {
    for (let ended = 0, wasOver = false; ; wasOver = isOver()) {
      const done = repeat(taskId, status);
      ended += wasOver ? await done : await done.catch(() => 0);
      if (wasOver) return ended;
    }
  }

  async function expectEnded(account: Account, taskId: TaskId, status: Status): Promise<void> {
    await expectState(bed, account, states[status]);
    expect(await finishTask(bed.ctx, taskId, endings[status])).toBe(false);
    await expectState(bed, account, states[status]);
  }

  test.each(points)(
    "an exception $when of $status leaves the task open; repeated, it ends once",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.raise(account.id, point);
      const finish = finishTask(bed.ctx, taskId, endings[status]);
      await expect(finish).rejects.toThrow(`crash point: ${point}`);
      await expectState(bed, account, states.accepted);
      await crash.clear();
      expect(await repeat(taskId, status)).toBe(1);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(points)(
    "kill -9 $when of $status leaves the task open once the database notices; repeated, it ends once",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.stall(account.id, point);
      const at = around(bed, withConnectionCheck(bed.database.serviceUrl));
      await using doomed = await startFinish(at, taskId, status);
      const pid = await crash.stalled();
      await doomed.kill();
      await crash.gone(pid);
      await expectState(bed, account, states.accepted);
      await crash.open();
      expect(await repeat(taskId, status)).toBe(1);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(points)(
    "kill -9 $when of $status while the database goes on: the task ends once, and a repetition that waits for it does nothing",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.stall(account.id, point);
      const at = around(bed, withoutTimeLimits(bed.database.serviceUrl));
      await using doomed = await startFinish(at, taskId, status);
      const pid = await crash.stalled();
      await doomed.kill();
      await expectState(bed, account, states.accepted);
      let isGone = false;
      const again = repeatUntil(() => isGone, taskId, status);
      await crash.someoneWaitsFor(pid);
      await crash.open();
      await crash.gone(pid);
      isGone = true;
      expect(await again).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );

  const committed = (taskId: TaskId) =>
    crash.until(
      "the end is committed",
      "select from tasks where id = $1 and completed_at is not null",
      [taskId],
    );

  test.each(statuses)(
    "a commit of %s whose answer is lost is an exception, and a repetition does nothing",
    async (status) => {
      const { account, taskId } = await acceptOne(status);
      await using ownLine = await layLine(bed.database.serviceUrl);
      const pool = openConnections(ownLine.through(bed.database.serviceUrl), 1, "behind a line");
      await crash.stall(account.id, "commit");
      const lost = Promise.allSettled([finishTask({ ...bed.ctx, pool }, taskId, endings[status])]);
      await crash.stalled();
      ownLine.withhold();
      await crash.open();
      await committed(taskId);
      ownLine.cut();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await pool.end();
      expect(await repeat(taskId, status)).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(statuses)(
    "kill -9 after the commit of %s changes nothing, and a repetition does nothing",
    async (status) => {
      const { account, taskId } = await acceptOne(status);
      await using ownLine = await layLine(bed.database.serviceUrl);
      await crash.stall(account.id, "commit");
      const at = around(bed, ownLine.through(bed.database.serviceUrl));
      await using doomed = await startFinish(at, taskId, status);
      await crash.stalled();
      ownLine.withhold();
      await crash.open();
      await committed(taskId);
      await doomed.kill();
      expect(await repeat(taskId, status)).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );
});
