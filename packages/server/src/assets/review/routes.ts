import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { refusals } from "../../http/error-answers.ts";
import { sendObject } from "../../http/send-object.ts";
import { claimNextReviews, claimReview, releaseClaims, renewClaims } from "./claim-reviews.ts";
import { type Judgement, judgeAsset } from "./judge-asset.ts";
import { fileLinkSeconds, openForm, openMedia, reviewPath } from "./open-file.ts";
import { readDecisions } from "./read-decisions.ts";
import { readFigures } from "./read-figures.ts";
import { readItems, readQueue } from "./read-queue.ts";
import { reasonOf, refusalCodes } from "./reasons.ts";
import { revokeAsset } from "./revoke-asset.ts";
import {
  approveBody,
  assetBody,
  claimedAnswer,
  claimNextBody,
  decisionsPage,
  decisionsQuery,
  figuresPage,
  figuresQuery,
  fileQuery,
  judgedAnswer,
  queuePage,
  queueQuery,
  reasonsAnswer,
  refuseBody,
  releaseBody,
  releasedAnswer,
  renewedAnswer,
  revokeBody,
  revokedAnswer,
} from "./schema.ts";
import { undoDecision } from "./undo-decision.ts";

const path = reviewPath;
const judges = { staff: ["operator", "reviewer"], service: "review" } as const;
const readers = {
  staff: ["operator", "reviewer", "support"],
  service: "review:read",
} as const;
const operators = { staff: ["operator"], service: "review" } as const;
/** The config of routes about people's decisions. Those of service keys are in the audit. */
const peopleRead = { staff: readers.staff } as const;
const tags = ["review"];
const writeRefusals = refusals(400, 401, 403, 404, 409, 413, 415, 429, 500);

/** The routes for people who review assets: the queue, and its claims. */
export function reviewRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      path,
      {
        config: readers,
        schema: {
          operationId: "listReviewQueue",
          summary: "List the assets that wait for a person, oldest first",
          tags,
          querystring: queueQuery,
          response: { 200: queuePage, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      (request) => readQueue(ctx, request.actor, request.query),
    );
    app.get(
      `${path}/reasons`,
      {
        config: readers,
        schema: {
          operationId: "listRefusalReasons",
          summary: "List the reasons of a refusal",
          tags,
          response: { 200: reasonsAnswer, ...refusals(401, 403, 429, 500) },
        },
      },
      async () => ({ reasons: refusalCodes.map(viewReason) }),
    );
    await app.register(recordRoutes(ctx));
    await app.register(fileRoutes(ctx));
    await app.register(claimRoutes(ctx));
    await app.register(judgeRoutes(ctx));
  };
}

/** The routes of past decisions. */
function recordRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      `${path}/decisions`,
      {
        config: peopleRead,
        schema: {
          operationId: "listReviewDecisions",
          summary: "List what people decided, newest first",
          tags,
          querystring: decisionsQuery,
          response: { 200: decisionsPage, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      ({ actor, session, query }) =>
        readDecisions(ctx, { actor, mayJudge: session.staffRole !== "support" }, query),
    );
    app.get(
      `${path}/figures`,
      {
        config: peopleRead,
        schema: {
          operationId: "listReviewFigures",
          summary: "List what each reviewer did on each day, newest first",
          tags,
          querystring: figuresQuery,
          response: { 200: figuresPage, ...refusals(400, 401, 403, 429, 500) },
        },
      },
      (request) => readFigures(ctx, request.query),
    );
  };
}

/**
 * The routes of the files that the owner of an asset sent, for the session of the reviewer who has claimed
 * it.
 */
function fileRoutes(ctx: Context): FastifyPluginAsyncZod {
  const config = judges;
  const schema = { hide: true, querystring: fileQuery };
  return async (app) => {
    app.get(`${path}/media`, { config, schema }, async (request, reply) => {
      const key = await openMedia(ctx, request.actor, request.query.assetId);
      return sendObject(ctx.storage, request, reply, key, { linkSeconds: fileLinkSeconds });
    });
    app.get(`${path}/form`, { config, schema }, async (request, reply) => {
      const key = await openForm(ctx, request.actor, request.query.assetId);
      return sendObject(ctx.storage, request, reply, key, { linkSeconds: fileLinkSeconds });
    });
  };
}

function claimRoutes(ctx: Context): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      `${path}/claim-next`,
      {
        config: judges,
        schema: {
          operationId: "claimNextReviews",
          summary: "Claim the next assets, accounts in turn",
          tags,
          body: claimNextBody,
          response: { 200: claimedAnswer, ...writeRefusals },
        },
      },
      async ({ actor, body }) =>
        readItems(ctx, actor, await claimNextReviews(ctx, actor, body.count)),
    );
    app.post(
      `${path}/claim`,
      {
        config: judges,
        schema: {
          operationId: "claimReview",
          summary: "Claim an asset, or renew the claim of it",
          tags,
          body: assetBody,
          response: { 200: claimedAnswer, ...writeRefusals },
        },
      },
      async ({ actor, body }) => {
        await claimReview(ctx, actor, body.assetId);
        return readItems(ctx, actor, [body.assetId]);
      },
    );
    app.post(
      `${path}/renew`,
      {
        config: judges,
        schema: {
          operationId: "renewClaims",
          summary: "Renew all your claims that have not expired",
          tags,
          response: { 200: renewedAnswer, ...writeRefusals },
        },
      },
      async ({ actor }) => {
        const claims = await renewClaims(ctx, actor);
        return {
          claims: claims.map(({ assetId, until }) => ({ assetId, until: until.getTime() })),
        };
      },
    );
    app.post(
      `${path}/release`,
      {
        config: judges,
        schema: {
          operationId: "releaseClaims",
          summary: "Release your claims",
          tags,
          body: releaseBody,
          response: { 200: releasedAnswer, ...writeRefusals },
        },
      },
      async ({ actor, body }) => ({ released: await releaseClaims(ctx, actor, body.assetIds) }),
    );
  };
}

function judgeRoutes(ctx: Context): FastifyPluginAsyncZod {
  const judge = async (
    actor: Parameters<typeof judgeAsset>[1],
    assetId: Parameters<typeof judgeAsset>[2],
    judgement: Judgement,
  ) => {
    const { undoableUntil } = await judgeAsset(ctx, actor, assetId, judgement);
    return { assetId, undoableUntil: undoableUntil?.getTime() ?? null };
  };
  return async (app) => {
    app.post(
      `${path}/approve`,
      {
        config: judges,
        schema: {
          operationId: "approveAsset",
          summary: "Approve an asset that you have claimed",
          tags,
          body: approveBody,
          response: { 200: judgedAnswer, ...writeRefusals },
        },
      },
      ({ actor, body: { assetId, text } }) => judge(actor, assetId, { verdict: "passed", text }),
    );
    app.post(
      `${path}/refuse`,
      {
        config: judges,
        schema: {
          operationId: "refuseAsset",
          summary: "Refuse an asset that you have claimed",
          tags,
          body: refuseBody,
          response: { 200: judgedAnswer, ...writeRefusals },
        },
      },
      ({ actor, body: { assetId, code, text } }) =>
        judge(actor, assetId, { verdict: "refused", code, text }),
    );
    app.post(
      `${path}/undo`,
      {
        config: judges,
        schema: {
          operationId: "undoReview",
          summary: "Take back a decision of yours within 10 minutes",
          tags,
          body: assetBody,
          response: { 200: claimedAnswer, ...writeRefusals },
        },
      },
      async ({ actor, body }) => {
        await undoDecision(ctx, actor, body.assetId);
        return readItems(ctx, actor, [body.assetId]);
      },
    );
    app.post(
      `${path}/revoke`,
      {
        config: operators,
        schema: {
          operationId: "revokeAsset",
          summary: "Revoke an asset that passed: new tasks refuse it immediately",
          tags,
          body: revokeBody,
          response: { 200: revokedAnswer, ...writeRefusals },
        },
      },
      async ({ actor, body: { assetId, reason } }) => {
        await revokeAsset(ctx, actor, assetId, reason);
        return { assetId };
      },
    );
  };
}

function viewReason(code: (typeof refusalCodes)[number]) {
  const { en, zh, isAtOnce = false, needsText = false } = reasonOf(code);
  return { code, titles: { en, zh }, isAtOnce, needsText };
}
