import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { readTimeline } from "../../history/read-timeline.ts";
import { operatorTimelineAnswer } from "../../history/timeline-schema.ts";
import { staffRefusals } from "../../http/error-answers.ts";
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
const tasksPage = z.object({ items: z.array(taskView), nextCursor });

export function staffTaskRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers,
        schema: {
          ...{ operationId: "searchTasks", tags },
          summary: "Search tasks by id, account or vendor job",
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
        config: readers,
        schema: {
          ...{ operationId: "readTaskTimeline", tags },
          summary: "Read what happened to a task, with vendors' names and texts",
          params: taskParams,
          response: { 200: operatorTimelineAnswer, ...staffRefusals(404) },
        },
      },
      ({ params }) => readTimeline(ctx, params.taskId, { forOperator: true }),
    );

    app.post(
      `${url}/:taskId/fail`,
      {
        config: writers,
        schema: {
          ...{ operationId: "failTask", tags },
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
    ...{ taskId: row.id, accountId: row.accountId, keyId: row.keyId, kind: row.kind },
    ...{ model: row.model, status: row.status, credits: row.credits },
    ...{ errorCode: row.errorCode, errorMessage: row.errorMessage },
    ...{ createdAt: row.createdAt.getTime(), completedAt: msOf(row.completedAt) },
    running: isRunning
      ? {
          ...{ vendorAccount, vendorJobId: row.vendorJobId, steps },
          submitStartedAt: msOf(row.submitStartedAt),
          ...{ deadlineAt: deadlineAt.getTime(), nextStepAt: nextStepAt.getTime() },
        }
      : null,
  };
}
