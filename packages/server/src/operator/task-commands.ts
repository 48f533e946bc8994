import type { Db } from "../db/database.ts";
import type { TaskId } from "../ids.ts";
import { findTask } from "../tasks/queries.ts";
import { listSubmitsOf } from "../tasks/submit-queries.ts";
import { listSegments } from "../upscale/segments/queries.ts";
import { type Commands, fail, type Report, readId } from "./command.ts";
import { withDatabase } from "./with-database.ts";

export const taskCommands: Commands = {
  "task show": {
    takes: "--task ID",
    does: "shows the task, every submit with the vendor's response, and the segments of an upscale",
    run: (options) => withDatabase((db) => showTask(db, readId(options, "task"))),
  },
};

async function showTask(db: Db, taskId: TaskId): Promise<Report> {
  const task = (await findTask(db, taskId)) ?? fail("There is no task with this id.");
  const submits = await listSubmitsOf(db, taskId);
  const segments = await listSegments(db, taskId);
  const state = `${task.status} ${task.error_code ?? ""}`.trim();
  return {
    facts: [
      { at: task.created_at.toISOString(), what: "created", vendor: null, job: null, said: state },
      ...submits.map((submit) => ({
        at: submit.startedAt.toISOString(),
        what: submit.outcome ?? "submitting, or its process died",
        vendor: submit.vendorAccount,
        job: submit.vendorJobId,
        said: submit.detail,
      })),
      ...segments.map((segment) => ({
        at: null,
        what: `segment ${segment.number}`,
        vendor: null,
        job: segment.vendorJobId,
        said: segment.failure ?? `${segment.framesDone} of ${segment.frames} frames`,
      })),
    ],
  };
}
