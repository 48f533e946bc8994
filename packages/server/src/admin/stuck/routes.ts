import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { msOf, readers, time, writers } from "../schema.ts";
import { dropStuck, listStuck, retryStuck } from "./stuck-rows.ts";

const url = "/api/admin/v1/stuck-rows";
const tags = ["stuck rows"];

const stuckAnswer = z.object({
  items: z
    .array(
      z
        .object({
          loop: z.string(),
          key: z.string(),
          accountId: z.string().nullable(),
          failures: z.int(),
          since: time,
          parkedAt: time.nullable().meta({ description: "The loop no longer retries it." }),
          reason: z.string(),
        })
        .meta({ id: "StuckRow" }),
    )
    .meta({ description: "At most 500: parked ones first, then those that fail longest." }),
});
const loop = z.string().min(1).max(200);
const key = z.string().min(1).max(1_000);

export function stuckRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("system"),
        schema: {
          operationId: "listStuckRows",
          tags,
          summary: "List the rows that a loop of the workers fails at",
          response: { 200: stuckAnswer, ...staffRefusals() },
        },
      },
      async () => ({
        items: (await listStuck(ctx.db)).map(({ firstFailedAt, parkedAt, ...row }) => ({
          ...row,
          since: firstFailedAt.getTime(),
          parkedAt: msOf(parkedAt),
        })),
      }),
    );

    app.post(
      `${url}/retry`,
      {
        config: writers("system"),
        schema: {
          operationId: "retryStuckRows",
          tags,
          summary: "Try a row, or all rows of a loop, now",
          body: z.strictObject({ loop, key: key.optional() }),
          response: {
            200: z.object({ retried: z.int() }),
            ...staffRefusals(400, 404, 413, 415),
          },
        },
      },
      async ({ actor, body }) => ({
        retried: await retryStuck(ctx, actor, { loop: body.loop, key: body.key ?? null }),
      }),
    );

    app.post(
      `${url}/drop`,
      {
        config: writers("system"),
        schema: {
          operationId: "dropStuckRow",
          tags,
          summary: "Abandon a row: a task fails, a delivery is given up",
          body: z.strictObject({ loop, key }),
          response: {
            200: z.object({ next: z.string().meta({ description: "What to do next." }) }),
            ...staffRefusals(400, 404, 413, 415),
          },
        },
      },
      async ({ actor, body }) => ({ next: await dropStuck(ctx, actor, body) }),
    );
  };
}
