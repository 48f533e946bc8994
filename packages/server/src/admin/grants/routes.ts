import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { findGrant, type GrantRow, listGrants } from "../../credits/grant-queries.ts";
import { ApiError } from "../../errors.ts";
import { staffRefusals } from "../../http/error-answers.ts";
import { idempotencyHeaders } from "../../http/idempotency-headers.ts";
import { cutPage, readIdCursor } from "../../http/paging.ts";
import type { TransferId } from "../../ids.ts";
import type { AdminContext } from "../context.ts";
import {
  actorView,
  approvers,
  createActorView,
  done,
  grantParams,
  msOf,
  nextCursor,
  pageQuery,
  readAccountId,
  readers,
  readGrantId,
  reason,
  time,
  writers,
} from "../schema.ts";
import { askGrant } from "./ask-grant.ts";
import { decideGrant } from "./decide-grant.ts";

const url = "/api/admin/v1/grants";
const tags = ["grants"];
const creditsMax = 1_000_000_000;
/** The last millisecond of the year 9999. */
const timeMax = 253_402_300_799_999;

const status = z.enum(["pending", "posted", "rejected", "expired"]).meta({
  description: "`pending`: it waits for a second person, at most 7 days, and has moved nothing.",
});
const grantsQuery = z.strictObject({
  accountId: z.string().max(100).optional(),
  pending: z.literal("true").optional().meta({ description: "Those that wait only." }),
  ...pageQuery,
});
const grantView = z
  .object({
    grantId: z.string().meta({ description: "Also the id of the ledger's transfer." }),
    accountId: z.string(),
    kind: z.enum(["grant", "adjust"]),
    credits: z.int(),
    reason: z.string(),
    status,
    askedBy: actorView,
    decidedBy: actorView.nullable(),
    createdAt: time,
    expiresAt: time.nullable().meta({ description: "The end of a pending one." }),
    decidedAt: time.nullable(),
    creditsExpireAt: time
      .nullable()
      .meta({ description: "When what is left of the credits expires." }),
  })
  .meta({ id: "Grant" });
const grantsPage = z.object({ items: z.array(grantView), nextCursor });
const grantBody = z.strictObject({
  accountId: z.string().max(100),
  kind: z.enum(["grant", "adjust"]).meta({
    description: "`adjust` corrects a balance, up or down; `grant` adds credits.",
  }),
  credits: z
    .int()
    .min(-creditsMax)
    .max(creditsMax)
    .refine((credits) => credits !== 0, { error: "must not be 0" }),
  reason: reason.meta({ description: "The account sees it in its ledger." }),
  expiresAt: time.min(1).max(timeMax).optional().meta({
    description:
      "Epoch milliseconds. What is left of a grant then expires; without it, it does not. Not of an `adjust`.",
  }),
});
const decisionBody = z.strictObject({ reason: reason.optional() });
const grantAnswer = z.object({ grantId: z.string(), status });

export function grantRoutes(ctx: AdminContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      url,
      {
        config: readers("credits"),
        schema: {
          operationId: "listGrants",
          summary: "List grants and adjustments",
          tags,
          querystring: grantsQuery,
          response: { 200: grantsPage, ...staffRefusals(400) },
        },
      },
      async ({ query: { accountId, pending, cursor, limit } }) => {
        const rows = await listGrants(ctx.db, {
          accountId: accountId === undefined ? null : readAccountId({ accountId }),
          isPending: pending === "true",
          before: readIdCursor<TransferId>(cursor),
          rowsMax: limit + 1,
        });
        const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
        return { items: await viewGrants(ctx, page), nextCursor };
      },
    );

    app.get(
      `${url}/:grantId`,
      {
        config: readers("credits"),
        schema: {
          operationId: "readGrant",
          summary: "Read a grant",
          tags,
          params: grantParams,
          response: { 200: grantView, ...staffRefusals(404) },
        },
      },
      async ({ params }) => {
        const grant = await findGrant(ctx.db, readGrantId(params));
        const [view] = grant === undefined ? [] : await viewGrants(ctx, [grant]);
        if (view === undefined) throw new ApiError("grant_not_found");
        return view;
      },
    );
    decisions(app, ctx);
  };
}

const decisions = (app: Parameters<FastifyPluginAsyncZod>[0], ctx: AdminContext): void => {
  const refused = staffRefusals(400, 404, 409, 413, 415, 422);

  app.post(
    url,
    {
      config: writers("credits"),
      schema: {
        operationId: "grantCredits",
        tags,
        summary: "Grant or adjust credits, or ask a second person for it",
        headers: idempotencyHeaders,
        body: grantBody,
        response: { 200: grantAnswer, ...refused },
      },
    },
    ({ actor, headers, body }) => {
      if (body.kind === "grant" && body.credits < 0)
        throw new ApiError("invalid_parameters", {
          param: "credits",
          message: "credits: must be positive in a grant; deduct with the kind adjust",
        });
      if (body.kind === "adjust" && body.expiresAt !== undefined)
        throw new ApiError("invalid_parameters", {
          param: "expiresAt",
          message: "expiresAt: only credits of a grant expire, not those of an adjustment",
        });
      const input = { ...body, accountId: readAccountId(body) };
      const idempotencyKey = headers["idempotency-key"];
      return askGrant(ctx, actor, { ...input, idempotencyKey });
    },
  );

  for (const [verb, isApproved, summary] of [
    ["approve", true, "Approve what another operator asked for"],
    ["reject", false, "Reject a pending grant, or withdraw one's own"],
  ] as const)
    app.post(
      `${url}/:grantId/${verb}`,
      {
        config: { ...writers("credits"), ...(isApproved ? approvers : {}) },
        schema: {
          operationId: `${verb}Grant`,
          summary,
          tags,
          params: grantParams,
          body: decisionBody,
          response: { 200: done, ...refused },
        },
      },
      async ({ actor, params, body }) => {
        await decideGrant(ctx, actor, readGrantId(params), { isApproved, reason: body.reason });
        return {};
      },
    );
};

async function viewGrants(
  ctx: AdminContext,
  rows: readonly GrantRow[],
): Promise<z.output<typeof grantView>[]> {
  const view = await createActorView(
    ctx,
    rows.flatMap(({ askedKind, askedBy, decidedKind, decidedBy }) => [
      { kind: askedKind, by: askedBy },
      { kind: decidedKind, by: decidedBy },
    ]),
  );
  return rows.map((row) => ({
    grantId: row.id,
    accountId: row.accountId,
    kind: row.kind,
    credits: row.credits,
    reason: row.reason,
    status: row.status,
    createdAt: row.createdAt.getTime(),
    askedBy: view(row.askedKind, row.askedBy),
    decidedBy:
      row.decidedKind === null || row.decidedBy === null
        ? null
        : view(row.decidedKind, row.decidedBy),
    expiresAt: msOf(row.expiresAt),
    decidedAt: msOf(row.decidedAt),
    creditsExpireAt: msOf(row.creditsExpireAt),
  }));
}
