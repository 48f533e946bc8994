import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { findLimit, findPendingLimit } from "../../credits/limit-queries.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import type { AdminContext } from "../context.ts";
import { actorView, approvers, createActorView, done, readers, time, writers } from "../schema.ts";
import { changeLimit, decideLimit } from "./change-limit.ts";

const url = "/api/admin/v1/grant-limit";
const tags = ["grants"];
const credits = z.int().min(1).max(1_000_000_000).nullable().meta({
  description:
    "What one person may grant or adjust alone in 24 hours, and one account may get that way; null: there is no limit.",
});
const limitAnswer = z.object({
  credits,
  pending: z
    .object({ credits, askedBy: actorView, createdAt: time })
    .nullable()
    .meta({ description: "A higher limit that waits for a second person." }),
});
const limitBody = z.strictObject({ credits });
const changedAnswer = z.object({ status: z.enum(["set", "pending"]) });

export function grantLimitRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  const refused = staffRefusals(400, 409, 413, 415);
  return async (app) => {
    app.get(
      url,
      {
        config: readers("credits"),
        schema: {
          operationId: "readGrantLimit",
          tags,
          summary: "Read above how many credits a grant needs a second person",
          response: { 200: limitAnswer, ...staffRefusals() },
        },
      },
      async () => {
        const waiting = await findPendingLimit(ctx.db);
        const limit = { credits: (await findLimit(ctx.db))?.credits ?? null };
        if (waiting === undefined) return { ...limit, pending: null };
        const { askedKind, askedBy, createdAt } = waiting;
        const view = await createActorView(ctx, [{ kind: askedKind, by: askedBy }]);
        const asked = { askedBy: view(askedKind, askedBy), createdAt: createdAt.getTime() };
        return { ...limit, pending: { credits: waiting.credits, ...asked } };
      },
    );

    app.put(
      url,
      {
        config: { ...writers("credits"), needsProof: true },
        schema: {
          operationId: "changeGrantLimit",
          tags,
          summary: "Change the limit; a higher one waits for a second person",
          body: limitBody,
          response: { 200: changedAnswer, ...refused },
        },
      },
      ({ actor, body }) => changeLimit(ctx, actor, body.credits),
    );

    for (const [verb, isApproved, summary] of [
      ["approve", true, "Approve a higher limit that another operator asked for"],
      ["reject", false, "Reject a higher limit, or withdraw one's own"],
    ] as const)
      app.post(
        `${url}/${verb}`,
        {
          config: { ...writers("credits"), ...(isApproved ? approvers : {}) },
          schema: {
            operationId: `${verb}GrantLimit`,
            summary,
            tags,
            response: { 200: done, ...refused },
          },
        },
        async ({ actor }) => {
          await decideLimit(ctx, actor, { isApproved });
          return {};
        },
      );
  };
}
