import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LibraryBed, openLibraryBed, paint } from "../../../test/harness/library-bed.ts";
import {
  claimedAsset,
  codeOf,
  newReviewer,
  passMinutes,
} from "../../../test/harness/review-bed.ts";
import type { TestBed } from "../../../test/harness/test-context.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { claimNextReviews, claimReview, releaseClaims, renewClaims } from "./claim-reviews.ts";
import { type Judgement, judgeAsset } from "./judge-asset.ts";
import { listReviews } from "./queries.ts";
import { readItems, readQueue } from "./read-queue.ts";

const cleanUp = new AsyncDisposableStack();
let library: LibraryBed;
let bed: TestBed;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("claims"));
  library = cleanUp.use(await openLibraryBed(path, { REVIEW_IMAGE: "manual" }));
  ({ bed } = library);
});
afterAll(() => cleanUp.disposeAsync());

const approval: Judgement = { verdict: "passed", text: null };
const refusal: Judgement = { verdict: "refused", code: "consent_missing", text: "Nobody signed." };

const judge = (reviewer: Actor, assetId: AssetId, judgement: Judgement) =>
  judgeAsset(bed.ctx, reviewer, assetId, judgement);

test("a claim ends by itself: the late decision is refused and decides nothing, the next reviewer's counts", async () => {
  const account = await bed.openAccount();
  const [late, next] = [newReviewer(), newReviewer()];
  const assetId = await claimedAsset(library, account, late);
  expect(await codeOf(claimReview(bed.ctx, next, assetId))).toBe("review_claimed");
  await passMinutes(bed, 5);
  await expect(judge(late, assetId, refusal)).rejects.toThrow("You no longer hold the claim");
  await claimReview(bed.ctx, next, assetId);
  expect(await codeOf(judge(late, assetId, refusal))).toBe("claim_lost");
  await judge(next, assetId, approval);
  expect(await codeOf(judge(late, assetId, refusal))).toBe("claim_lost");
  expect(await listReviews(bed.ctx.db, assetId)).toHaveLength(1);
});

test("a claim is renewed while the page is open, for an hour at most", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimedAsset(library, account, reviewer);
  for (let minutes = 0; minutes < 60; minutes += 4) {
    expect(await renewClaims(bed.ctx, reviewer), `after ${minutes} minutes`).toMatchObject([
      { assetId },
    ]);
    await passMinutes(bed, 4);
  }
  expect(await renewClaims(bed.ctx, reviewer)).toEqual([]);
  await claimReview(bed.ctx, newReviewer(), assetId);
});

test("what is released is free for others; what others have claimed cannot be released", async () => {
  const account = await bed.openAccount();
  const [one, other] = [newReviewer(), newReviewer()];
  const assetId = await claimedAsset(library, account, one);
  expect(await releaseClaims(bed.ctx, other, [assetId])).toEqual([]);
  expect(await releaseClaims(bed.ctx, one)).toEqual([assetId]);
  await claimReview(bed.ctx, other, assetId);
  expect((await readQueue(bed.ctx, other, { limit: 20, mine: true })).items).toMatchObject([
    { assetId, claim: { isMine: true } },
  ]);
});

test("claim next gives what nobody has, accounts in turn, and no reviewer more than 20", async () => {
  const [flood, small] = [await bed.openAccount(), await bed.openAccount()];
  await bed.database.sql("delete from open_reviews");
  const image = await paint();
  for (let i = 0; i < 25; i++) {
    const { assetId } = await library.upload(flood, image);
    await library.advance(assetId);
  }
  const { assetId: late } = await library.upload(small, image);
  await library.advance(late);
  const [one, other] = [newReviewer(), newReviewer()];
  const first = await claimNextReviews(bed.ctx, one, 2);
  expect(first[1]).toBe(late); // the second, although 25 were there before
  const both = await Promise.all([
    ...Array.from({ length: 4 }, () => claimNextReviews(bed.ctx, one, 10).catch(() => [])),
    claimNextReviews(bed.ctx, other, 3),
  ]);
  const all = [...first, ...both.flat()];
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(23);
  expect(await codeOf(claimNextReviews(bed.ctx, one, 1))).toBe("claims_limit");
});

test("every answer tells how many wait and since when the oldest does", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  await bed.database.sql("delete from open_reviews");
  const empty = await readQueue(bed.ctx, reviewer, { limit: 1, mine: true });
  expect(empty.queue).toEqual({ waiting: 0, isCountedOut: true, oldestSince: null });
  const oldest = await claimedAsset(library, account, reviewer);
  await claimedAsset(library, account, reviewer);
  const { items, queue } = await readItems(bed.ctx, reviewer, [oldest]);
  expect(queue).toMatchObject({ waiting: 2, oldestSince: items[0]?.waitingSince });
});
