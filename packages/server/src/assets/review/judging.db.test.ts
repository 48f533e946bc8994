import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { byCommand } from "../../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed, paint } from "../../../test/harness/library-bed.ts";
import { openPerson } from "../../../test/harness/open-person.ts";
import {
  claimedAsset,
  codeOf,
  newReviewer,
  passMinutes,
} from "../../../test/harness/review-bed.ts";
import type { TestBed } from "../../../test/harness/test-context.ts";
import type { Actor, AssetId } from "../../ids.ts";
import { claimNextReviews, claimReview, releaseClaims } from "./claim-reviews.ts";
import { type Judgement, judgeAsset } from "./judge-asset.ts";
import { readDecisions } from "./read-decisions.ts";
import { readFigures } from "./read-figures.ts";
import { readItems, readQueue } from "./read-queue.ts";
import { reviewAsset } from "./review-asset.ts";
import { undoDecision } from "./undo-decision.ts";

const cleanUp = new AsyncDisposableStack();
let library: LibraryBed;
let bed: TestBed;
let image: Buffer;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("judging"));
  library = cleanUp.use(await openLibraryBed(path, { REVIEW_IMAGE: "manual" }));
  ({ bed } = library);
  image = await paint();
});
afterAll(() => cleanUp.disposeAsync());

type Account = Awaited<ReturnType<TestBed["openAccount"]>>;
const approval: Judgement = { verdict: "passed", text: null };
const refusal: Judgement = { verdict: "refused", code: "consent_missing", text: "Nobody signed." };

const claimed = (account: Account, reviewer: Actor) => claimedAsset(library, account, reviewer);

const judge = (reviewer: Actor, assetId: AssetId, judgement: Judgement) =>
  judgeAsset(bed.ctx, reviewer, assetId, judgement);

async function statusOf(account: Account, assetId: AssetId) {
  const { body } = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  return { status: body["status"], failReason: body["failReason"] };
}

const blocked = (count: number) =>
  vi.waitFor(
    async () => {
      const query =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect(await bed.database.sql(query)).toHaveLength(count);
    },
    { timeout: 60_000, interval: 20 },
  );

const auditOf = (assetId: AssetId) =>
  bed.database.sql(
    "select action, actor_kind, actor, before, after, reason from audit_entries where object = $1 order by id",
    [String(assetId)],
  );

test("an asset waits in the queue with its file, earlier verdicts and the account's refusals", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const refused = await claimed(account, reviewer);
  await judge(reviewer, refused, { verdict: "refused", code: "illegal", text: null });
  await library.advance(refused);
  const assetId = await claimed(account, reviewer);
  const { items } = await readItems(bed.ctx, reviewer, [assetId]);
  expect(items).toMatchObject([
    {
      assetId,
      type: "IMAGE",
      width: 640,
      height: 480,
      size: image.length,
      duration: null,
      account: {
        accountId: account.id,
        passed: 0,
        refused: 1,
        lastRefusedAt: expect.any(Number),
        recentRefusals: [
          { assetId: refused, reason: "The review did not pass. Shows illegal content." },
        ],
      },
      claim: { by: reviewer.personId, isMine: true, until: expect.any(Number) },
      declaration: null,
    },
  ]);
});

test("an approval makes the asset ACTIVE at once and leaves an audit entry", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, { verdict: "passed", text: "A drawing." });
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toMatchObject({ status: "ACTIVE" });
  expect(await auditOf(assetId)).toMatchObject([
    {
      action: "asset.approve",
      actor_kind: "person",
      actor: reviewer.personId,
      after: { verdict: "passed" },
      reason: "A drawing.",
    },
  ]);
});

test("a refusal is known to the owner after ten minutes, with its reason in our words, and not before", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, refusal);
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toEqual({ status: "PROCESSING", failReason: null });
  expect(await codeOf(claimReview(bed.ctx, newReviewer(), assetId))).toBe("asset_not_found");
  await passMinutes(bed, 10);
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toEqual({
    status: "FAILED",
    failReason:
      "The review did not pass. Shows a real person without a valid declaration of consent.",
  });
});

test("a refusal that is undone is never seen, and the asset is judged again", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, refusal);
  await undoDecision(bed.ctx, reviewer, assetId);
  await passMinutes(bed, 4);
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toEqual({ status: "PROCESSING", failReason: null });
  await judge(reviewer, assetId, approval);
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toEqual({ status: "ACTIVE", failReason: null });
  expect(await auditOf(assetId)).toMatchObject([
    { action: "asset.refuse", after: { code: "consent_missing" } },
    { action: "asset.undo", before: { verdict: "refused" } },
    { action: "asset.approve" },
  ]);
});

test("an approval that is undone puts the asset back into review, for the reviewer who undid it", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, approval);
  await library.advance(assetId);
  await undoDecision(bed.ctx, reviewer, assetId);
  expect(await statusOf(account, assetId)).toMatchObject({ status: "PROCESSING" });
  expect(await codeOf(claimReview(bed.ctx, newReviewer(), assetId))).toBe("review_claimed");
  const { items } = await readItems(bed.ctx, reviewer, [assetId]);
  expect(items).toMatchObject([{ account: { passed: 0 }, reviews: [{}, { verdict: "passed" }] }]);
});

test("an approval cannot be undone while a task uses the asset, so that the task does not fail by it", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, approval);
  await library.advance(assetId);
  const { body } = await library.call(account, "GET", `assets/status?assetId=${assetId}`);
  const inputs = { urls: [`asset://${body["upstreamAssetId"]}`] };
  const created = await library.call(account, "POST", "jobs/createTask", { model: "sd2", inputs });
  expect(created.status).toBe(200);
  await expect(undoDecision(bed.ctx, reviewer, assetId)).rejects.toThrow("A task is using this");
  expect(await statusOf(account, assetId)).toMatchObject({ status: "ACTIVE" });
});

test("a step that read an approval before it was undone does not publish it", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, approval);
  const lock = await bed.ctx.pool.connect();
  await lock.query("begin");
  await lock.query("select from assets where id = $1 for update", [assetId]);
  const undone = undoDecision(bed.ctx, reviewer, assetId); // first in the line for the lock
  await blocked(1);
  const step = reviewAsset(bed.ctx, assetId); // reads the approval, then waits to act on it
  await blocked(2);
  await lock.query("commit");
  lock.release();
  await Promise.all([undone, step]);
  expect(await statusOf(account, assetId)).toMatchObject({ status: "PROCESSING" });
  expect((await readItems(bed.ctx, reviewer, [assetId])).items).toHaveLength(1);
});

test.each([
  ["by another reviewer", async () => newReviewer()],
  [
    "after ten minutes",
    async (reviewer: Actor) => {
      await passMinutes(bed, 10);
      return reviewer;
    },
  ],
])("a decision cannot be undone %s", async (_, undoer) => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await judge(reviewer, assetId, refusal);
  const other = await undoer(reviewer);
  expect(await codeOf(undoDecision(bed.ctx, other, assetId))).toBe("undo_too_late");
});

test("a refusal of illegal content takes effect at once and cannot be undone", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  const illegal: Judgement = { verdict: "refused", code: "illegal", text: null };
  expect(await judge(reviewer, assetId, illegal)).toEqual({ undoableUntil: null });
  expect(await codeOf(undoDecision(bed.ctx, reviewer, assetId))).toBe("undo_too_late");
  await library.advance(assetId);
  expect(await statusOf(account, assetId)).toMatchObject({ status: "FAILED" });
});

test("an asset that its owner deletes leaves the queue, also while somebody judges it", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  await library.call(account, "DELETE", `assets?assetId=${assetId}`);
  expect(await codeOf(judge(reviewer, assetId, approval))).toBe("claim_lost");
  expect((await readQueue(bed.ctx, reviewer, { limit: 20, mine: true })).items).toEqual([]);
});

test("figures per reviewer and day are the decisions", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push(await claimed(account, reviewer));
  await passMinutes(bed, 1);
  const [first, second, third] = ids as [AssetId, AssetId, AssetId];
  await judge(reviewer, first, approval);
  await judge(reviewer, second, refusal);
  await undoDecision(bed.ctx, reviewer, second);
  await judge(reviewer, second, approval);
  await judge(reviewer, third, refusal);
  const { items } = await readFigures(bed.ctx, { limit: 50, reviewer: reviewer.personId });
  expect(items).toMatchObject([{ judged: 4, approved: 2, refused: 2, undone: 1 }]);
  expect(items[0]?.seconds).toBeGreaterThanOrEqual(60);
  expect(items[0]?.seconds).toBeLessThan(120); // the minute counts once, not for each of the three
});

test("a command judges what nobody has claimed, with its user on record", async () => {
  const account = await bed.openAccount();
  const reviewer = newReviewer();
  const assetId = await claimed(account, reviewer);
  const byHand = () => judgeAsset(bed.ctx, byCommand, assetId, approval, { claims: true });
  expect(await codeOf(byHand())).toBe("review_claimed");
  await releaseClaims(bed.ctx, reviewer);
  await byHand();
  expect(await auditOf(assetId)).toMatchObject([{ actor_kind: "command", actor: "op" }]);
});

test("the record of decisions is newest first, and says which of them its reader can undo", async () => {
  const account = await bed.openAccount();
  const [me, other] = [newReviewer(), newReviewer()];
  const [refused, approved, final] = [
    await claimed(account, me),
    await claimed(account, me),
    await claimed(account, me),
  ];
  await judge(me, refused, refusal);
  await judge(me, approved, approval);
  await judge(me, final, { verdict: "refused", code: "illegal", text: null });
  await undoDecision(bed.ctx, me, approved);
  await judge(other, await claimed(account, other), approval);
  const read = (mine: boolean, cursor?: string) =>
    readDecisions(bed.ctx, { actor: me, mayJudge: true }, { mine, limit: 2, cursor });
  const first = await read(true);
  expect(first.items).toMatchObject([
    { assetId: approved, action: "asset.undo", undoableUntil: null, by: { isMine: true } },
    { assetId: final, action: "asset.refuse", code: "illegal", undoableUntil: null },
  ]);
  const second = await read(true, first.nextCursor ?? undefined);
  expect(second.items).toMatchObject([
    { assetId: approved, action: "asset.approve", code: null, undoableUntil: null },
    { assetId: refused, code: "consent_missing", text: "Nobody signed.", asset: { type: "IMAGE" } },
  ]);
  expect(second.items[1]?.undoableUntil).toBeGreaterThan(Date.now());
  expect((await read(false)).items[0]).toMatchObject({
    action: "asset.approve",
    by: { isMine: false },
    undoableUntil: null,
  });
  await passMinutes(bed, 10);
  expect((await read(true, first.nextCursor ?? undefined)).items[1]?.undoableUntil).toBeNull();
});

test("nobody judges an asset of an own account or of its test account, nor gets one from the queue", async () => {
  const [account, tests] = [await bed.openAccount(), await bed.openAccount()];
  const { personId } = await openPerson(bed, { role: "viewer", accountId: account.id });
  const reviewer: Actor = { kind: "person", personId, address: null, requestId: null };
  const ofBoth = [await claimed(account, reviewer), await claimed(tests, reviewer)];
  await bed.database.sql("update accounts set test_of = $1 where id = $2", [account.id, tests.id]);
  for (const assetId of ofBoth)
    expect(await codeOf(judge(reviewer, assetId, approval))).toBe("own_asset");
  await releaseClaims(bed.ctx, reviewer);
  const mine = await claimNextReviews(bed.ctx, reviewer, 20);
  expect(ofBoth.filter((assetId) => mine.includes(assetId))).toEqual([]);
  expect(await claimNextReviews(bed.ctx, newReviewer(), 20)).toEqual(
    expect.arrayContaining(ofBoth),
  );
});
