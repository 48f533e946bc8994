import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { readBalance } from "../credits/ledger.ts";
import { refusals } from "../error-answers.ts";

const balance = z.object({
  credits: z.int().meta({ description: "The settled balance." }),
  availableCredits: z.int().meta({ description: "credits less the holds of open tasks." }),
});

export function accountRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/credits",
      {
        schema: {
          operationId: "readCredits",
          summary: "Read the balance",
          tags: ["account"],
          response: { 200: balance, ...refusals(401, 500) },
        },
      },
      (request) => readBalance(ctx.db, request.account.id),
    );
  };
}
