import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { msOf, readers, time, writers } from "../schema.ts";
import { askLedgerCheck } from "./check-ledger.ts";
import { findNewestChecks } from "./queries.ts";

const url = "/api/admin/v1/ledger-checks";
const tags = ["ledger"];
const shownMax = 20;

const checksAnswer = z.object({
  items: z
    .array(
      z
        .object({
          checkId: z.string(),
          askedAt: time,
          startedAt: time.nullable().meta({ description: "null: no worker has begun." }),
          finishedAt: time.nullable(),
          transfers: z.int().nullable().meta({ description: "How many there were." }),
          tasks: z.int().nullable(),
          breaches: z.array(z.unknown()).nullable().meta({
            description: "What breaks an invariant, at most 20 rows of each; empty: nothing.",
          }),
          failure: z.string().nullable().meta({ description: "Why it could not be made." }),
        })
        .meta({ id: "LedgerCheck" }),
    )
    .meta({ description: "The newest 20." }),
});

export function ledgerRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("system"),
        schema: {
          operationId: "listLedgerChecks",
          summary: "List checks of the ledger",
          tags,
          response: { 200: checksAnswer, ...staffRefusals() },
        },
      },
      async () => ({
        items: (await findNewestChecks(ctx.db, shownMax)).map((row) => ({
          checkId: row.id,
          askedAt: row.createdAt.getTime(),
          startedAt: msOf(row.startedAt),
          finishedAt: msOf(row.finishedAt),
          transfers: row.transfers,
          tasks: row.tasks,
          breaches: row.breaches,
          failure: row.failure,
        })),
      }),
    );

    app.post(
      url,
      {
        config: writers("system"),
        schema: {
          operationId: "startLedgerCheck",
          tags,
          summary: "Have a worker check the whole ledger",
          response: { 200: z.object({ checkId: z.string() }), ...staffRefusals(409) },
        },
      },
      async ({ actor }) => ({ checkId: await askLedgerCheck(ctx, actor) }),
    );
  };
}
