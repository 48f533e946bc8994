import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { refusals } from "../http/error-answers.ts";
import type { SwitchesContext } from "../switches/context.ts";
import { bannerSchema } from "../switches/switches.ts";

const bannerAnswer = z.object({
  banner: bannerSchema.nullable().meta({ description: "null: there is nothing to announce." }),
});

/** Serves the operators' announcement. Needs no key, for pages before a sign-in; read from memory. */
export function serveBanner(app: FastifyInstance, ctx: SwitchesContext): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    "/api/v1/banner",
    {
      config: { isPublic: true },
      schema: {
        operationId: "readBanner",
        summary: "Read what the operator announces",
        description: "In English and Chinese, or null. Needs no key.",
        tags: ["models"],
        security: [],
        response: { 200: bannerAnswer, ...refusals(429, 500) },
      },
    },
    async (_request, reply) => {
      reply.header("Cache-Control", "public, max-age=10");
      const { banner } = ctx.switches.current();
      return { banner: banner?.until != null && banner.until <= Date.now() ? null : banner };
    },
  );
}
