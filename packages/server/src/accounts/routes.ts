import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { auditPage, auditQuery, readAudit } from "../audit/read-audit.ts";
import type { Context } from "../context.ts";
import { readBalance } from "../credits/ledger.ts";
import { ledgerPage, ledgerQuery, readLedger } from "../credits/read-ledger.ts";
import { createShareReads } from "../flow/share-reads.ts";
import { refusals } from "../http/error-answers.ts";
import { readOpenTasks } from "./queries.ts";
import { readRequests, requestsPage, requestsQuery } from "./requests/read-requests.ts";

const balance = z.object({
  credits: z
    .int()
    .meta({ description: "The settled balance: captured tasks are deducted, open holds are not." }),
  availableCredits: z.int().meta({ description: "`credits` minus the holds of open tasks." }),
  openTasksMax: z.int().meta({ description: "Tasks that the account can have open at once." }),
  openTasksLeft: z
    .int()
    .meta({ description: "How many more it can have now. At 0, a new task is refused with 429." }),
});

export function accountRoutes(ctx: Context): FastifyPluginAsyncZod {
  const share = createShareReads();
  return async (app) => {
    app.get(
      "/api/v1/account/credits",
      {
        config: { scope: "account" },
        schema: {
          operationId: "readCredits",
          summary: "Read the credit balance",
          description:
            "`credits` is the settled balance, and `availableCredits` is that less what open tasks hold. Also says how many more tasks can be created now.",
          tags: ["account"],
          response: { 200: balance, ...refusals(401, 429, 500) },
        },
      },
      ({ caller: { id } }) =>
        share(id, async () => ({
          ...(await readBalance(ctx.db, id)),
          ...(await readOpenTasks(ctx.db, id)),
        })),
    );

    app.get(
      "/api/v1/account/ledger",
      {
        config: { scope: "account" },
        schema: {
          operationId: "readLedger",
          summary: "List ledger entries, newest first",
          description:
            "Every transfer of the account, numbered without gaps, with the balance after it: `grant` and `adjust` by the operator, and `hold`, `raise`, `capture` and `release` by tasks.",
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
          description: `For owners of the account. Each entry says who did what, with the state before and after. A filtered page can have fewer items than its \`limit\`: continue while there is a \`nextCursor\`.`,
          tags: ["account"],
          querystring: auditQuery,
          response: { 200: auditPage, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      (request) => readAudit(ctx, request.caller.id, request.query),
    );

    app.get(
      "/api/v1/account/requests",
      {
        config: { scope: "account" },
        schema: {
          operationId: "listRequests",
          summary: "List the requests of the last seven days, newest first",
          description:
            "The account's requests and their results: route, status, error code, duration, and the key or person that sent each. Bodies, addresses and query strings are not kept. A request appears about a second after its response.",
          tags: ["account"],
          querystring: requestsQuery,
          response: { 200: requestsPage, ...refusals(400, 401, 429, 500) },
        },
      },
      (request) => readRequests(ctx, request.caller.id, request.query),
    );
  };
}
