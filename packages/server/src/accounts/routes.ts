import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { auditPage, auditQuery, readAudit } from "../audit/read-audit.ts";
import type { Context } from "../context.ts";
import { readBalance } from "../credits/ledger.ts";
import { ledgerPage, ledgerQuery, readLedger } from "../credits/read-ledger.ts";
import { refusals } from "../http/error-answers.ts";

const balance = z.object({
  credits: z
    .int()
    .meta({ description: "The settled balance: captured tasks are deducted, open holds are not." }),
  availableCredits: z.int().meta({ description: "`credits` minus the holds of open tasks." }),
});

export function accountRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/credits",
      {
        config: { scope: "account" },
        schema: {
          operationId: "readCredits",
          summary: "Read the credit balance",
          tags: ["account"],
          response: { 200: balance, ...refusals(401, 429, 500) },
        },
      },
      (request) => readBalance(ctx.db, request.caller.id),
    );

    app.get(
      "/api/v1/account/ledger",
      {
        config: { scope: "account" },
        schema: {
          operationId: "readLedger",
          summary: "List ledger entries, newest first",
          tags: ["account"],
          querystring: ledgerQuery,
          response: { 200: ledgerPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readLedger(ctx.db, request.caller.id, request.query),
    );

    app.get(
      "/api/v1/account/audit",
      {
        config: { role: "owner" },
        schema: {
          operationId: "readAudit",
          summary: "List who changed what in the account, newest first",
          tags: ["account"],
          querystring: auditQuery,
          response: { 200: auditPage, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      (request) => readAudit(ctx.db, request.caller.id, request.query),
    );
  };
}
