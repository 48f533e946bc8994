import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { ModelsContext } from "../generation/context.ts";
import { refusals } from "../http/error-answers.ts";
import { listTasks } from "./list-tasks.ts";
import { queryTasks } from "./query-tasks.ts";
import { readRequest } from "./read-request.ts";
import { readTimeline } from "./read-timeline.ts";
import { requestAnswer } from "./request-schema.ts";
import { listAnswer, listQuery, queryAnswer, queryBody } from "./schema.ts";
import { timelineAnswer, timelineQuery } from "./timeline-schema.ts";

export function historyRoutes(ctx: ModelsContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/jobs/list",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "listTasks",
          summary: "List tasks, newest first",
          description:
            "Tasks of both kinds, each as its query returns it, with `kind`, `mode`, `credits` and `keyId`. A page with a filter can have fewer items than `limit`, or none, and still have a `nextCursor`: continue until it is null. Tasks that are created meanwhile do not move the pages that follow.",
          tags: ["tasks"],
          querystring: listQuery,
          response: { 200: listAnswer, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      (request) => listTasks(ctx, request.caller, request.query),
    );

    app.post(
      "/api/v1/jobs/query",
      {
        config: { scope: "tasks", isRead: true },
        schema: {
          operationId: "queryTasks",
          summary: "Read many tasks by their ids",
          description:
            "Up to 100 tasks of either kind in one request, in the order of the ids. Ids that are not a task of this account are in `notFound`.",
          tags: ["tasks"],
          body: queryBody,
          response: { 200: queryAnswer, ...refusals(400, 401, 403, 413, 415, 429, 500) },
        },
      },
      (request) => queryTasks(ctx, request.caller, request.body.taskIds),
    );

    app.get(
      "/api/v1/jobs/timeline",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "readTimeline",
          summary: "Read what happened to a task, and when",
          description:
            "The steps of a task of either kind in order: submits to vendors, files that were stored, the upscale, the end and the attempts of its callback, each with when it began and ended. A task of another account is a 403, an unknown one a 404.",
          tags: ["tasks"],
          querystring: timelineQuery,
          response: { 200: timelineAnswer, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      (request) => {
        const reader = { forOperator: false as const, caller: request.caller };
        return readTimeline(ctx, request.query.taskId, reader);
      },
    );

    app.get(
      "/api/v1/jobs/request",
      {
        config: { scope: "tasks" },
        schema: {
          operationId: "readRequest",
          summary: "Read what a task was created with",
          description: `\`model\` and \`inputs\` create the same task again: the inputs are in their normal form, with the defaults filled in. They are null once they are no longer known, and \`inputsMissing\` says why. A task of another account is a 403, an unknown one a 404.`,
          tags: ["tasks"],
          querystring: timelineQuery,
          response: { 200: requestAnswer, ...refusals(400, 401, 403, 404, 429, 500) },
        },
      },
      (request) => readRequest(ctx, request.caller, request.query.taskId),
    );
  };
}
