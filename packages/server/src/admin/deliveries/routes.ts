import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import { listFailingHosts } from "../../webhooks/failing-hosts.ts";
import type { AdminContext } from "../context.ts";
import { readers, time } from "../schema.ts";

const hostsAnswer = z.object({
  isComplete: z.boolean().meta({
    description: "false: more deliveries are open than the oldest 20,000, which are counted here.",
  }),
  items: z
    .array(
      z
        .object({
          host: z.string(),
          failing: z.int().meta({ description: "Open deliveries that failed at least once." }),
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
});

export function failingHostRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/admin/v1/deliveries/hosts",
      {
        config: readers,
        schema: {
          operationId: "listFailingHosts",
          summary: "List hosts whose callbacks fail now",
          tags: ["deliveries"],
          response: { 200: hostsAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const { hosts, isComplete } = await listFailingHosts(ctx.db);
        const items = hosts.map(({ since, ...host }) => ({ ...host, since: since.getTime() }));
        return { isComplete, items };
      },
    );
  };
}
