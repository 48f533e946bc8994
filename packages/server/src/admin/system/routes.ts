import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { readers, time } from "../schema.ts";
import { readStatus } from "./read-status.ts";

const statusAnswer = z.object({
  version: z.string().meta({ description: "Of the process that answers." }),
  parts: z
    .object({ database: z.boolean(), engine: z.boolean(), storage: z.boolean() })
    .meta({ description: "What the process that answers can reach." }),
  newestMigration: z.object({ name: z.string(), appliedAt: time }).nullable(),
  processes: z
    .array(
      z
        .object({
          processId: z.string(),
          role: z.string(),
          version: z.string(),
          host: z.string(),
          isRunning: z.boolean().meta({ description: "Whether it reported in the last minute." }),
          startedAt: time,
          seenAt: time,
          loops: z.array(
            z.object({ name: z.string(), lastSuccessAt: time.nullable(), isAlive: z.boolean() }),
          ),
        })
        .meta({ id: "Process" }),
    )
    .meta({ description: "Of the last 24 hours, at most 200, the latest seen first." }),
});

export function systemRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/system",
      {
        config: readers,
        schema: {
          operationId: "readSystem",
          summary: "Read what runs and how it is",
          tags: ["system"],
          response: { 200: statusAnswer, ...staffRefusals() },
        },
      },
      () => readStatus(ctx),
    );
  };
}
