import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../../errors.ts";
import { readTimeline } from "../../history/read-timeline.ts";
import { operatorTimelineAnswer } from "../../history/timeline-schema.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { findTask } from "../../tasks/queries.ts";
import { listSegments } from "../../upscale/segments/queries.ts";
import { sha256Text } from "../../verify/schema.ts";
import type { AdminContext } from "../context.ts";
import {
  done,
  msOf,
  nextCursor,
  pageQuery,
  readers,
  readTaskId,
  reasonBody,
  taskParams,
  time,
  writers,
} from "../schema.ts";
import { failTask } from "./fail-task.ts";
import type { StaffTaskRow } from "./queries.ts";
import { searchTasks } from "./search-tasks.ts";

const url = "/api/admin/v1/tasks";
const tags = ["tasks"];

const tasksQuery = z.strictObject({
  taskId: z.string().max(100).optional(),
  accountId: z.string().max(100).optional(),
  vendorJobId: z.string().min(1).max(300).optional().meta({
    description:
      "Ended jobs are looked for in the newest 200,000 submits; with a nextCursor the search goes on.",
  }),
  sha256: sha256Text.optional().meta({ description: "Of an output of the task." }),
  ...pageQuery,
});
const taskView = z
  .object({
    taskId: z.string(),
    accountId: z.string(),
    keyId: z.string().nullable(),
    kind: z.enum(["generation", "upscale"]),
    model: z.string(),
    status: z.enum(["PENDING", "PROCESSING", "COMPLETED", "FAILED"]),
    credits: z.int(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    createdAt: time,
    completedAt: time.nullable(),
    vendorAccount: z
      .string()
      .nullable()
      .meta({ description: "Where it runs, or was submitted last; null: nowhere yet." }),
    running: z
      .object({
        vendorAccount: z.string(),
        vendorJobId: z.string().nullable(),
        submitStartedAt: time.nullable(),
        deadlineAt: time,
        nextStepAt: time,
        steps: z.int(),
      })
      .nullable()
      .meta({ description: "null: it has ended." }),
  })
  .meta({ id: "StaffTask" });
const segmentsAnswer = z.object({
  items: z
    .array(
      z
        .object({
          number: z.int(),
          frames: z.int(),
          framesDone: z.int(),
          vendorJobId: z.string().nullable(),
          failure: z.string().nullable().meta({ description: "Why it was given up." }),
        })
        .meta({ id: "TaskSegment" }),
    )
    .meta({ description: "Empty unless the task is an upscale that runs." }),
});
const tasksPage = z.object({ items: z.array(taskView), nextCursor });

export function staffTaskRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("tasks"),
        schema: {
          operationId: "searchTasks",
          tags,
          summary: "Search tasks by id, account, vendor job or output",
          querystring: tasksQuery,
          response: { 200: tasksPage, ...staffRefusals(400) },
        },
      },
      async ({ query }) => {
        const found = await searchTasks(ctx, query);
        return { items: found.items.map(viewTask), nextCursor: found.nextCursor };
      },
    );

    app.get(
      `${url}/:taskId/timeline`,
      {
        config: readers("tasks"),
        schema: {
          operationId: "readTaskTimeline",
          tags,
          summary: "Read what happened to a task, with vendors' names and texts",
          params: taskParams,
          response: { 200: operatorTimelineAnswer, ...staffRefusals(404) },
        },
      },
      ({ params }) => readTimeline(ctx, params.taskId, { forOperator: true }),
    );

    app.get(
      `${url}/:taskId/segments`,
      {
        config: readers("tasks"),
        schema: {
          operationId: "listTaskSegments",
          tags,
          summary: "List the segments of an upscale that runs",
          params: taskParams,
          response: { 200: segmentsAnswer, ...staffRefusals(404) },
        },
      },
      async ({ params }) => {
        const taskId = readTaskId(params);
        if ((await findTask(ctx.db, taskId)) === undefined) throw new ApiError("task_not_found");
        const items = (await listSegments(ctx.db, taskId)).map(
          ({ number, frames, framesDone, vendorJobId, failure }) => ({
            number,
            frames,
            framesDone,
            vendorJobId,
            failure,
          }),
        );
        return { items };
      },
    );

    app.post(
      `${url}/:taskId/fail`,
      {
        config: writers("tasks"),
        schema: {
          operationId: "failTask",
          tags,
          summary: "End a running task as failed and release its hold",
          params: taskParams,
          body: reasonBody,
          response: { 200: done, ...staffRefusals(400, 404, 409, 413, 415) },
        },
      },
      async ({ actor, params, body }) => {
        await failTask(ctx, actor, readTaskId(params), body.reason);
        return {};
      },
    );
  };
}

function viewTask(row: StaffTaskRow): z.output<typeof taskView> {
  const { vendorAccount, deadlineAt, nextStepAt, steps } = row;
  const isRunning =
    vendorAccount !== null && deadlineAt !== null && nextStepAt !== null && steps !== null;
  return {
    taskId: row.id,
    accountId: row.accountId,
    keyId: row.keyId,
    kind: row.kind,
    model: row.model,
    status: row.status,
    credits: row.credits,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    createdAt: row.createdAt.getTime(),
    completedAt: msOf(row.completedAt),
    vendorAccount: isRunning && vendorAccount !== "none" ? vendorAccount : row.lastVendorAccount,
    running: isRunning
      ? {
          vendorAccount,
          vendorJobId: row.vendorJobId,
          steps,
          submitStartedAt: msOf(row.submitStartedAt),
          deadlineAt: deadlineAt.getTime(),
          nextStepAt: nextStepAt.getTime(),
        }
      : null,
  };
}
