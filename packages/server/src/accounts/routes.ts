import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../context.ts";
import { readBalance } from "../credits/ledger.ts";

const balance = z.object({ credits: z.int(), availableCredits: z.int() });

export function accountRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get("/api/v1/account/credits", { schema: { response: { 200: balance } } }, (request) =>
      readBalance(ctx.db, request.account.id),
    );
  };
}
