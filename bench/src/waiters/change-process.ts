import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "@zoetrope/server/config.ts";
import { readEnvironment } from "@zoetrope/server/environment.ts";
import type { TaskId } from "@zoetrope/server/ids.ts";
import { openContext } from "@zoetrope/server/open-context.ts";
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

process.on("disconnect", () => process.exit(0));
process.on("message", (changes: Changes) => void changeAll(changes));
process.send?.("ready");

async function changeAll({ taskIds, perSecond }: Changes): Promise<void> {
  const lag = Math.ceil(taskIds.length / 4); // how many are at work at once
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

async function begin(taskId: TaskId | undefined): Promise<void> {
  if (taskId === undefined) return;
  await claimSubmit(ctx.pool, { taskId, vendorAccount: "ark", graceMs: 60_000, isAtWork: false });
  await bindJob(ctx.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 60_000 });
  ctx.changes.announce(taskId);
}

async function end(taskId: TaskId | undefined): Promise<void> {
  if (taskId === undefined) return;
  const key = `${taskId.replaceAll("-", "")}.mp4`;
  await finishTask(ctx, taskId, { kind: "completed", output: [{ ...video, key }] });
}
