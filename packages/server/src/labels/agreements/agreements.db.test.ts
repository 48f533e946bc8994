import assert from "node:assert";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endings } from "../../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { createTestAccount } from "../../accounts/create-test-account.ts";
import type { Caller } from "../../accounts/queries.ts";
import { inTransaction } from "../../db/database.ts";
import { createTask } from "../../generation/create-task.ts";
import { deleteMedia } from "../../generation/delete-media.ts";
import { type AccountId, type LabelAgreementId, newId, type TaskId } from "../../ids.ts";
import { finishTask, type Outcome } from "../../tasks/finish-task.ts";
import {
  endAgreements,
  findLabelAgreement,
  forgetFreedOutputs,
  freedOutputDays,
  insertAgreement,
  listFreedOutputs,
} from "./queries.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const [video] = endings.COMPLETED.kind === "completed" ? endings.COMPLETED.output : [];
assert(video !== undefined);

async function agree(accountId: AccountId): Promise<LabelAgreementId> {
  const id = newId<LabelAgreementId>(0);
  const agreement = {
    id,
    accountId,
    agreedBy: "Example Co., legal department",
    agreedAt: new Date(),
    text: "We label what we publish.",
    recordedKind: "command" as const,
    recordedBy: "root",
  };
  await inTransaction(bed.ctx.db, (tx) => insertAgreement(tx, agreement));
  return id;
}
const end = (accountId: AccountId) =>
  endAgreements(bed.ctx.db, accountId, { kind: "command", by: "root", reason: "over" });

/** Ends a task with a labelled output and one that was freed. */
async function finishFreed(caller: Caller, labelAgreementId: LabelAgreementId): Promise<TaskId> {
  const { taskId } = await createTask(bed.ctx, caller, body, null);
  const freed = { ...video, sha256: "ab".repeat(32), labelAgreementId } as typeof video;
  assert(video !== undefined && freed !== undefined);
  await finishTask(bed.ctx, taskId, { kind: "completed", output: [video, freed] });
  return taskId;
}

const freedOf = (accountId: AccountId) =>
  listFreedOutputs(bed.ctx.db, accountId, { before: null, rowsMax: 10 });

test("an account has the agreement that is live, and so has its test account", async () => {
  const { id } = await bed.openAccount();
  const { accountId: testId } = await createTestAccount(bed.ctx, id);
  const other = await bed.openAccount();
  expect(await findLabelAgreement(bed.ctx.db, id)).toBeNull();
  const agreementId = await agree(id);
  for (const account of [id, testId])
    expect(await findLabelAgreement(bed.ctx.db, account)).toEqual({ agreementId });
  expect(await findLabelAgreement(bed.ctx.db, other.id)).toBeNull();
  expect(await end(id)).toBe(1);
  for (const account of [id, testId])
    expect(await findLabelAgreement(bed.ctx.db, account)).toBeNull();
});

test("the database has one live agreement of an account, and the service can neither change nor delete one", async () => {
  const { id } = await bed.openAccount();
  const first = await agree(id);
  await expect(agree(id)).rejects.toThrow("label_agreements_live");
  await end(id);
  const second = await agree(id);
  expect(second).not.toBe(first);
  for (const change of [
    "delete from label_agreements",
    "update label_agreements set text = 'another'",
    "delete from freed_outputs",
    "update freed_outputs set delivered_at = now()",
  ])
    await expect(bed.ctx.pool.query(change), change).rejects.toThrow("permission denied");
});

test("an output that was freed is recorded when its task ends, once, and a labelled or failed one is not", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const agreementId = await agree(account.id);
  const taskId = await finishFreed(account, agreementId);
  expect(await finishTask(bed.ctx, taskId, endings.COMPLETED)).toBe(false);
  const { taskId: failed } = await createTask(bed.ctx, account, body, null);
  const failure: Outcome = { kind: "failed", code: "vendor_failed" };
  await finishTask(bed.ctx, failed, failure);
  const [task] = await bed.database.sql<{ at: Date }>(
    "select completed_at as at from tasks where id = $1",
    [taskId],
  );
  expect(await freedOf(account.id)).toEqual([
    {
      taskId,
      number: 1,
      accountId: account.id,
      agreementId,
      sha256: "ab".repeat(32),
      deliveredAt: task?.at,
    },
  ]);
});

test("thirty tasks that end at once record each its own output", async () => {
  const account = await bed.openAccount({ credits: 10_000, openTasksMax: 100 });
  const agreementId = await agree(account.id);
  const taskIds = await Promise.all(
    Array.from({ length: 30 }, () => finishFreed(account, agreementId)),
  );
  const rows = await listFreedOutputs(bed.ctx.db, account.id, { before: null, rowsMax: 100 });
  expect(rows.map((row) => row.taskId).sort()).toEqual(taskIds.sort());
});

test("pages have every freed output once, the newest tasks first", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const agreementId = await agree(account.id);
  for (let task = 0; task < 3; task++) await finishFreed(account, agreementId);
  const all = await freedOf(account.id);
  expect(all).toHaveLength(3);
  const paged = [];
  for (let before: (typeof all)[number] | null = null; paged.length < 3; ) {
    const [row]: typeof all = await listFreedOutputs(bed.ctx.db, account.id, {
      before,
      rowsMax: 1,
    });
    assert(row !== undefined);
    paged.push(row);
    before = row;
  }
  expect(paged).toEqual(all);
  expect(all.map(({ taskId }) => taskId)).toEqual(
    all
      .map(({ taskId }) => taskId)
      .sort()
      .reverse(),
  );
});

/** Makes the record as old as this. */
async function age(taskId: TaskId, days: number): Promise<void> {
  await bed.database.sql(
    `update freed_outputs set delivered_at = now() - $2 * interval '1 day',
       task_id = (lpad(to_hex(((extract(epoch from now()) - $2 * 86400 - 60) * 1000)::bigint), 12, '0')
                  || substr(replace($1::text, '-', ''), 13))::uuid
     where task_id = $1`,
    [taskId, days],
  );
}

test("a freed output is kept for 184 days, without its media and its task, and is then forgotten", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const agreementId = await agree(account.id);
  const [kept, over] = [
    await finishFreed(account, agreementId),
    await finishFreed(account, agreementId),
  ];
  await deleteMedia(bed.ctx, account, kept);
  await bed.database.sql("delete from tasks where id = any ($1)", [[kept, over]]);
  await age(kept, freedOutputDays - 0.01);
  await age(over, freedOutputDays + 0.01);
  expect(await forgetFreedOutputs(bed.ctx.db)).toBe(1);
  expect(await freedOf(account.id)).toHaveLength(1);
  expect(await findLabelAgreement(bed.ctx.db, account.id)).toEqual({ agreementId });
  const agreements = "select from label_agreements where id = $1";
  expect(await bed.database.sql(agreements, [agreementId])).toHaveLength(1);
});
