import { z } from "zod";
import { cursorRule, numberCursor, pageLimit, textCursor } from "../../http/paging.ts";
import type { AssetId } from "../../ids.ts";
import { claimsMax } from "./queue.ts";
import { refusalCodes } from "./reasons.ts";

const idMax = Number.MAX_SAFE_INTEGER;
const idRule = "must be the assetId of an asset";
const textRule = "must be text of 1 to 500 characters";
const epochMs = "Epoch milliseconds.";

const assetId = z
  .int({ error: idRule })
  .min(1, { error: idRule })
  .max(idMax, { error: idRule })
  .transform((id) => id as AssetId)
  .meta({ description: "The numeric assetId." });

const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .default("false")
  .transform((text) => text === "true");

export const queueQuery = z.strictObject({
  cursor: numberCursor(),
  limit: pageLimit({ usual: 20, max: 50 }),
  mine: flag.meta({ description: "Only what you have claimed." }),
});
export type QueueQuery = z.output<typeof queueQuery>;

const scores = z
  .object({ explicit: z.number(), sexual: z.number(), face: z.number() })
  .meta({ description: "How sure the models are, from 0 to 1." });

const queueItem = z
  .object({
    assetId: z.int(),
    upstreamAssetId: z.string(),
    type: z.enum(["IMAGE", "AUDIO", "VIDEO"]),
    name: z.string().nullable().meta({ description: "null unless you have claimed the asset." }),
    contentType: z.string().nullable(),
    size: z.int().nullable().meta({ description: "Size in bytes." }),
    width: z.int().nullable(),
    height: z.int().nullable(),
    duration: z.number().nullable().meta({ description: "Duration in seconds." }),
    mediaUrl: z.string().nullable().meta({
      description:
        "The file, in your session and while you have claimed the asset; null otherwise.",
    }),
    createdAt: z.int().meta({ description: epochMs }),
    waitingSince: z.int().meta({ description: epochMs }),
    reviews: z
      .array(
        z.object({
          reviewer: z.string(),
          verdict: z.enum(["passed", "refused", "unsure", "revoked", "undone"]),
          reason: z.string(),
          scores: scores.nullable(),
          at: z.int().meta({ description: epochMs }),
        }),
      )
      .meta({
        description:
          "Earlier verdicts on this asset, newest first, at most 10; empty unless you have claimed it.",
      }),
    account: z
      .object({
        accountId: z.string(),
        name: z.string(),
        passed: z.int().meta({ description: "Assets of this account that passed." }),
        refused: z.int().meta({ description: "Assets of this account that were refused." }),
        lastRefusedAt: z.int().nullable().meta({ description: epochMs }),
        recentRefusals: z
          .array(z.object({ assetId: z.int(), reason: z.string(), at: z.int() }))
          .meta({
            description: "Newest first, at most 5; empty unless you have claimed the asset.",
          }),
      })
      .meta({ description: "How the reviews of this account's assets ended." }),
    declaration: z
      .object({
        people: z.string(),
        purpose: z.string(),
        declaredAt: z.int().meta({ description: epochMs }),
        formType: z.string().nullable(),
        formUrl: z.string().nullable().meta({
          description:
            "The signed form, in your session and while you have claimed the asset. Reading it is an audit entry. The file is the customer's: open it with care.",
        }),
      })
      .nullable()
      .meta({
        description:
          "What the owner declares about the real people that it shows; null unless you have claimed it.",
      }),
    claim: z
      .object({
        by: z.string(),
        isMine: z.boolean(),
        until: z.int().meta({ description: epochMs }),
      })
      .nullable(),
  })
  .meta({ id: "ReviewItem" });
export type QueueItem = z.output<typeof queueItem>;

const queue = z.object({
  waiting: z.int().meta({ description: "Assets that wait, counted up to 10,000." }),
  isCountedOut: z.boolean().meta({ description: "false: there are more." }),
  oldestSince: z
    .int()
    .nullable()
    .meta({ description: "How long the oldest has waited. Epoch milliseconds." }),
});

export const queuePage = z.object({
  items: z.array(queueItem),
  nextCursor: z.int().nullable().meta({ description: "null on the last page." }),
  queue,
});
export const claimedAnswer = z.object({ items: z.array(queueItem), queue });

const countRule = `must be a whole number from 1 to ${claimsMax}`;
export const claimNextBody = z.strictObject({
  count: z
    .int({ error: countRule })
    .min(1, { error: countRule })
    .max(claimsMax, { error: countRule })
    .default(1),
});
export const fileQuery = z.object({
  assetId: z.coerce.number({ error: idRule }).pipe(assetId),
  accountId: z.string().optional().meta({ description: "Of the asset: finds its database." }),
});
export const assetBody = z.strictObject({ assetId });
export const releaseBody = z.strictObject({
  assetIds: z.array(assetId).min(1).max(claimsMax).optional().meta({
    description: "Omit it to release all.",
  }),
});
export const renewedAnswer = z.object({
  claims: z.array(z.object({ assetId: z.int(), until: z.int().meta({ description: epochMs }) })),
});
export const releasedAnswer = z.object({ released: z.array(z.int()) });

const text = z
  .string({ error: textRule })
  .trim()
  .min(1, { error: textRule })
  .max(500, { error: textRule })
  .nullish()
  .transform((value) => value ?? null);

export const revokeBody = z.strictObject({
  assetId,
  reason: z
    .string({ error: textRule })
    .trim()
    .min(1, { error: textRule })
    .max(500, { error: textRule })
    .meta({ description: "Why. Stays in the record." }),
});
export const revokedAnswer = z.object({ assetId: z.int() });

export const approveBody = z.strictObject({
  assetId,
  text: text.meta({ description: "A note for the record." }),
});
export const refuseBody = z.strictObject({
  assetId,
  code: z.enum(refusalCodes, { error: "must be a code of GET /api/admin/v1/review/reasons" }),
  text: text.meta({ description: "Added to the reason that the owner reads." }),
});
export const judgedAnswer = z.object({
  assetId: z.int(),
  undoableUntil: z
    .int()
    .nullable()
    .meta({ description: `${epochMs} null: it is final.` }),
});

export const reasonsAnswer = z.object({
  reasons: z.array(
    z.object({
      code: z.enum(refusalCodes),
      titles: z.object({ en: z.string(), zh: z.string() }),
      isAtOnce: z.boolean().meta({ description: "Takes effect at once and cannot be undone." }),
      needsText: z.boolean(),
    }),
  ),
});

export const decisionsQuery = z.strictObject({
  mine: flag.meta({ description: "Only your own." }),
  cursor: textCursor(),
  limit: pageLimit(
    { usual: 20, max: 50 },
    "Most items of a page. A page can have fewer, or none, before the last.",
  ),
});
export type DecisionsQuery = z.output<typeof decisionsQuery>;

const decision = z
  .object({
    id: z.string(),
    assetId: z.int(),
    at: z.int().meta({ description: epochMs }),
    action: z.enum(["asset.approve", "asset.refuse", "asset.undo", "asset.revoke"]),
    code: z.enum(refusalCodes).nullable().meta({ description: "Of a refusal." }),
    text: z.string().nullable(),
    by: z.object({
      id: z.string().meta({ description: "Of a command: the user of the machine." }),
      name: z.string().nullable(),
      isMine: z.boolean(),
    }),
    undoableUntil: z
      .int()
      .nullable()
      .meta({ description: `${epochMs} null: you cannot undo it.` }),
    asset: z
      .object({
        upstreamAssetId: z.string(),
        type: z.enum(["IMAGE", "AUDIO", "VIDEO"]),
        status: z.enum(["NONE", "PROCESSING", "ACTIVE", "FAILED"]),
        name: z.string().nullable(),
        mediaUrl: z.string().nullable().meta({
          description:
            "The file, in your session: of an approved asset, or of one that you judged less than 10 minutes ago; null otherwise.",
        }),
      })
      .nullable()
      .meta({ description: "null once its owner has deleted it." }),
  })
  .meta({ id: "ReviewDecision" });
export type Decision = z.output<typeof decision>;

export const decisionsPage = z.object({
  items: z.array(decision),
  nextCursor: z.string().nullable().meta({ description: "null on the last page." }),
});

const dayRule = "must be a day such as 2026-11-16";
const day = z.iso.date({ error: dayRule });
const reviewer = z.string().min(1).max(200);
export const figuresQuery = z.strictObject({
  from: day.optional().meta({ description: "First day (UTC); 30 days ago if omitted." }),
  to: day.optional().meta({ description: "Last day (UTC)." }),
  reviewer: reviewer.optional(),
  cursor: z
    .string({ error: cursorRule })
    .regex(/^\d{4}-\d{2}-\d{2} .{1,200}$/, { error: cursorRule })
    .optional(),
  limit: pageLimit({ usual: 50, max: 100 }),
});
export type FiguresQuery = z.output<typeof figuresQuery>;

export const figuresPage = z.object({
  items: z.array(
    z.object({
      day: z.string(),
      reviewer: z.string(),
      reviewerName: z
        .string()
        .nullable()
        .meta({ description: "null for commands, and for people who no longer exist." }),
      judged: z.int(),
      approved: z.int(),
      refused: z.int(),
      undone: z.int(),
      seconds: z.number().meta({ description: "Time spent on the judged assets." }),
    }),
  ),
  nextCursor: z.string().nullable(),
});
