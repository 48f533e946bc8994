import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { refusals } from "../../http/error-answers.ts";
import { findAgreement, findLabelAgreement } from "./queries.ts";
import { agreementShape, viewAgreement } from "./view-agreement.ts";

const agreementAnswer = z.object({
  agreement: z.object(agreementShape).nullable().meta({
    description: "null: none is live, and outputs carry the visible label where one is due.",
  }),
});

export function accountAgreementRoutes(ctx: Pick<Context, "db">): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/account/label-agreement",
      {
        config: { role: "owner" },
        schema: {
          operationId: "readLabelAgreement",
          summary: "Read the agreement that frees the account from the visible label",
          description:
            "For owners of the account. While an agreement is live, outputs have no visible label, and labelling what is published is the account's duty. The operator records and ends agreements.",
          tags: ["account"],
          response: { 200: agreementAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async ({ caller }) => {
        const live = await findLabelAgreement(ctx.db, caller.id);
        const row = live && (await findAgreement(ctx.db, caller.id, live.agreementId));
        return { agreement: row ? viewAgreement(row) : null };
      },
    );
  };
}
