import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { readPartitions } from "../../engine/canary/queries.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { taskAges } from "../../metrics/metric-table.ts";
import type { AdminContext } from "../context.ts";
import { readers, time } from "../schema.ts";
import { readStatus } from "./read-status.ts";

const queues = z
  .object({
    openTasks: z
      .array(z.object({ age: z.enum(taskAges), count: z.int() }))
      .meta({ description: "Tasks in flight by age; counted up to 100,000." }),
    oldestTaskSeconds: z.int().meta({ description: "Age of the oldest task; 0 without one." }),
    overdueTasks: z.int().meta({
      description: "Tasks in flight a minute after their deadline; counted up to 10,000.",
    }),
    openDeliveries: z
      .int()
      .meta({ description: "Callbacks to be delivered; counted up to 100,000." }),
    failingDeliveryAccounts: z.int().meta({
      description: "Accounts with a failing callback, among the 10,000 oldest callbacks.",
    }),
    failingEndpoints: z.int().meta({
      description:
        "Webhook endpoints whose last attempt failed, with those that were paused for it within a day of their last attempt; counted up to 10,000.",
    }),
    deliveriesGivenUp: z.int().meta({
      description: "Deliveries given up in the last 24 hours; counted up to 10,000.",
    }),
    parkedRows: z.int().meta({
      description: "Rows that keep failing and wait for an operator; counted up to 10,000.",
    }),
  })
  .meta({ id: "Queues" });

const statusAnswer = z.object({
  version: z.string().meta({ description: "The version of the process that responds." }),
  parts: z
    .object({ database: z.boolean(), engine: z.boolean(), storage: z.boolean() })
    .meta({ description: "What the process that responds can reach." }),
  newestMigration: z.object({ name: z.string(), appliedAt: time }).nullable(),
  queues,
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

const partitionsMax = 1_024;
const silentSecondsMax = 90;

const partitionsAnswer = z.object({
  items: z.array(
    z
      .object({
        partition: z.int(),
        askedAt: time,
        answeredAt: time,
        silentSeconds: z.int().meta({ description: "0: it ran what it was sent last." }),
        isSilent: z.boolean().meta({ description: "It does not run what it accepts." }),
      })
      .meta({ id: "EnginePartition" }),
  ),
});

export function systemRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/system",
      {
        config: readers("system"),
        schema: {
          operationId: "readSystem",
          summary: "Read what runs and how it is",
          tags: ["system"],
          response: { 200: statusAnswer, ...staffRefusals() },
        },
      },
      () => readStatus(ctx),
    );

    app.get(
      "/api/admin/v1/engine-partitions",
      {
        config: readers("system"),
        schema: {
          operationId: "listEnginePartitions",
          summary: "List when each partition of the engine last ran what it was sent",
          tags: ["system"],
          response: { 200: partitionsAnswer, ...staffRefusals() },
        },
      },
      async () => ({
        items: (await readPartitions(ctx.db, partitionsMax)).map(
          ({ partition, askedAt, answeredAt, silentSeconds }) => ({
            partition,
            askedAt: askedAt.getTime(),
            answeredAt: answeredAt.getTime(),
            silentSeconds: Math.round(silentSeconds),
            isSilent: silentSeconds > silentSecondsMax,
          }),
        ),
      }),
    );
  };
}
