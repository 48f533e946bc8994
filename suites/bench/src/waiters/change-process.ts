import { setTimeout as pause } from "node:timers/promises";
import type { AccountId, TaskId } from "@zoetrope/server/ids.ts";
import { openContext } from "@zoetrope/server/open-context.ts";
import { readConfig } from "@zoetrope/server/settings/config.ts";
import { readEnvironment } from "@zoetrope/server/settings/environment.ts";
import { finishTask } from "@zoetrope/server/tasks/finish-task.ts";
import { bindJob, claimSubmit } from "@zoetrope/server/tasks/submit-queries.ts";
import type { Changes } from "./messages.ts";

/** Changes tasks as a worker does, at a given rate: each gets a vendor's job and later its end. */
const ctx = openContext(readConfig(readEnvironment()), "worker");
const video = {
  contentType: "video/mp4",
  sizeBytes: 1_000_000,
  sha256: "0".repeat(64),
  width: 1280,
  height: 720,
  durationMs: 5_000,
};

const accounts = new Map<TaskId, AccountId>();

process.on("disconnect", () => process.exit(0));
process.on("message", (changes: Changes) => void changeAll(changes));
process.send?.("ready");

async function changeAll({ taskIds, perSecond }: Changes): Promise<void> {
  const lag = Math.ceil(taskIds.length / 4); // how many are at work at once
  for (const { id, account_id } of await findAccounts(taskIds)) accounts.set(id, account_id);
  const startedAt = performance.now();
  const underWay: Promise<unknown>[] = [];
  for (let step = 0; step < taskIds.length + lag; step++) {
    const dueAt = startedAt + (step * 2 * 1_000) / perSecond;
    await pause(Math.max(0, dueAt - performance.now()));
    underWay.push(begin(taskIds[step]), end(taskIds[step - lag]));
  }
  await Promise.all(underWay);
  process.send?.("changed");
}

function findAccounts(taskIds: TaskId[]) {
  const tasks = ctx.db.selectFrom("tasks").select(["id", "account_id"]);
  return tasks.where("id", "in", taskIds).execute();
}

async function begin(taskId: TaskId | undefined): Promise<void> {
  if (taskId === undefined) return;
  const of = { vendorAccount: "ark", graceMs: 60_000, isAtWork: false, known: null };
  await claimSubmit(ctx.pool, { taskId, ...of });
  await bindJob(ctx.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 60_000 });
  const accountId = accounts.get(taskId);
  if (accountId !== undefined) ctx.changes.announce(taskId, accountId);
}

async function end(taskId: TaskId | undefined): Promise<void> {
  if (taskId === undefined) return;
  const key = `${taskId.replaceAll("-", "")}.mp4`;
  await finishTask(ctx, taskId, { kind: "completed", output: [{ ...video, key }] });
}
