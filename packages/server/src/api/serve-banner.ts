import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { refusals } from "../http/error-answers.ts";
import type { SwitchesContext } from "../switches/context.ts";
import { bannerSchema } from "../switches/switches.ts";
import { createAddressLimit } from "./limits/rate-limit.ts";

const bannerAnswer = z.object({
  banner: bannerSchema.nullable().meta({ description: "null: there is nothing to announce." }),
});

/** What operators announce. Needs no key, for pages before a sign-in; read from memory. */
export function serveBanner(app: FastifyInstance, ctx: SwitchesContext): void {
  const limit = createAddressLimit(ctx.config.api.documentsPerMinuteMax, "reads of the banner");
  app.withTypeProvider<ZodTypeProvider>().get(
    "/api/v1/banner",
    {
      config: { isPublic: true },
      schema: {
        operationId: "readBanner",
        summary: "Read what the operator announces",
        tags: ["models"],
        security: [],
        response: { 200: bannerAnswer, ...refusals(429, 500) },
      },
      onRequest: async (request) => limit.charge(request),
    },
    async (_request, reply) => {
      reply.header("Cache-Control", "public, max-age=10");
      const { banner } = ctx.switches.current();
      return { banner: banner?.until != null && banner.until <= Date.now() ? null : banner };
    },
  );
}
