import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import { listFailingEndpoints } from "../../webhooks/endpoints/failing-endpoints.ts";
import { listFailingHosts } from "../../webhooks/failing-hosts.ts";
import type { AdminContext } from "../context.ts";
import { readers, time } from "../schema.ts";

const hostsAnswer = z.object({
  isComplete: z.boolean().meta({
    description:
      "false: more than 20,000 deliveries are open or were given up; only as many are counted here.",
  }),
  items: z
    .array(
      z
        .object({
          host: z.string(),
          failing: z.int().meta({ description: "Open deliveries that failed at least once." }),
          givenUp: z.int().meta({ description: "Deliveries given up in the last 24 hours." }),
          accounts: z.int(),
          since: time.meta({ description: "When the oldest of them was created." }),
          lastStatus: z
            .int()
            .nullable()
            .meta({ description: "Of the oldest one's last response." }),
          lastReason: z.string().nullable(),
        })
        .meta({ id: "FailingHost" }),
    )
    .meta({ description: "The 100 hosts with the most failing deliveries." }),
  endpoints: z
    .array(
      z
        .object({
          endpointId: z.string(),
          accountId: z.string(),
          host: z.string().meta({ description: "Of its URL." }),
          failures: z.int().meta({ description: "Failed attempts in a row." }),
          failingSince: time,
          isPaused: z.boolean().meta({ description: "Because it failed for 5 days." }),
          lastAttemptAt: time,
          lastStatus: z.int().nullable(),
          lastReason: z.string().nullable(),
        })
        .meta({ id: "FailingEndpoint" }),
    )
    .meta({
      description:
        "The 100 webhook endpoints that fail for the longest time; a paused one for a day after its last attempt.",
    }),
});

export function failingHostRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/deliveries/hosts",
      {
        config: readers("system"),
        schema: {
          operationId: "listFailingHosts",
          summary: "List hosts whose callbacks fail, and webhook endpoints that fail",
          tags: ["deliveries"],
          response: { 200: hostsAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const { hosts, isComplete } = await listFailingHosts(ctx.db);
        const items = hosts.map(({ since, ...host }) => ({ ...host, since: since.getTime() }));
        const failing = await listFailingEndpoints(ctx.db);
        const endpoints = failing.map(({ failingSince, lastAttemptAt, ...endpoint }) => ({
          ...endpoint,
          failingSince: failingSince.getTime(),
          lastAttemptAt: lastAttemptAt.getTime(),
        }));
        return { isComplete, items, endpoints };
      },
    );
  };
}
