import { freePort } from "@zoetrope/dev/services/ports.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { quickJobs, type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import sharp from "sharp";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";
import type { AssetId } from "../../ids.ts";
import { findAsset } from "../queries.ts";
import { storeAsset } from "../store-asset.ts";
import { uploadAsset } from "../upload-asset.ts";
import { listReviews } from "./queries.ts";
import { refusalReasons } from "./reasons.ts";
import { reviewAsset } from "./review-asset.ts";

const cleanUp = new AsyncDisposableStack();
let sandbox: Sandbox;
let source: Receiver;
let bed: TestBed;
beforeAll(async () => {
  const red = { width: 640, height: 480, channels: 3, background: "red" } as const;
  const image = await sharp({ create: red }).png().toBuffer();
  source = cleanUp.use(await startReceiver());
  source.answer = () => ({ status: 200, body: image });
  sandbox = cleanUp.use(await startSandbox(quickJobs));
  const port = await freePort();
  bed = cleanUp.use(
    await openTestBed({
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ARK_ASSETS: arkAssets({ baseUrl: `${sandbox.url}/ark-assets/` }),
      REVIEW_IMAGE: "vendor",
    }),
  );
  const api = await buildApi(bed.ctx); // the vendor fetches our copies from it
  cleanUp.defer(() => api.close());
  await api.listen({ host: "127.0.0.1", port });
});
afterAll(() => cleanUp.disposeAsync());

function arkAssets(change: object): string {
  return JSON.stringify({
    accessKeyId: "sandbox-ark-access-key",
    secretAccessKey: "sandbox-ark-secret-key",
    region: "ap-southeast-1",
    groupName: "tests",
    ...change,
  });
}

/** A stored asset that no reviewer has seen. */
async function stored(ctx = bed.ctx) {
  const account = await bed.openAccount();
  const asset = await uploadAsset(ctx, account, { url: `${source.url}/a.png`, type: "IMAGE" });
  await storeAsset(ctx, asset.assetId);
  return asset;
}

const injectFault = (fault: string) =>
  controlSandbox(sandbox.control).injectFault("ark-assets", fault);

/** Asks the reviewers as the sweep would and shows the row. */
async function reviewed(assetId: AssetId, ctx = bed.ctx) {
  await reviewAsset(ctx, assetId);
  return findAsset(bed.ctx.db, assetId);
}

const decided = (assetId: AssetId) =>
  expect.poll(async () => (await reviewed(assetId))?.status, { timeout: 180_000, interval: 50 });

test("what the vendor takes is ACTIVE, and its id there is kept", async () => {
  const { assetId, upstreamAssetId } = await stored();
  await decided(assetId).toBe("ACTIVE");
  const [vendorId, ...others] = await sandbox.assetsNamed(upstreamAssetId);
  expect(others).toEqual([]);
  expect((await findAsset(bed.ctx.db, assetId))?.vendor_asset_id).toBe(vendorId);
  expect(await listReviews(bed.ctx.db, assetId)).toMatchObject([
    { actor: "vendor", verdict: "passed", reason: `Accepted by the vendor as ${vendorId}.` },
  ]);
});

test.each([
  ["real_person_blocked", "consent_missing", "may show a real person"],
  ["copyright_blocked", "copyright", "Copyright may be infringed"],
  ["SensitiveContentDetected.SexualContent", "sexual", "SexualContent: "],
  ["SensitiveContentDetected.Violence", "violence", "Violence: "],
  ["input_blocked", "other", "did not pass"],
] as const)(
  "what it fails with %s is FAILED with our reason %s; its own words are for operators",
  async (outcome, code, words) => {
    await injectFault(`fail=${outcome}`);
    const { assetId } = await stored();
    await decided(assetId).toBe("FAILED");
    expect((await findAsset(bed.ctx.db, assetId))?.fail_reason).toBe(
      `The review did not pass. ${refusalReasons[code].en}.`,
    );
    expect(await listReviews(bed.ctx.db, assetId)).toMatchObject([
      { code, reason: expect.stringContaining(words) },
    ]);
  },
);

test("what it has not decided stays PROCESSING, and is registered once", async () => {
  await injectFault("hang");
  const { assetId, upstreamAssetId } = await stored();
  const first = await reviewed(assetId);
  await decided((await stored()).assetId).toBe("ACTIVE"); // others overtake it
  expect(await reviewed(assetId)).toMatchObject({
    status: "PROCESSING",
    vendor_asset_id: first?.vendor_asset_id,
  });
  expect(await sandbox.assetsNamed(upstreamAssetId)).toEqual([first?.vendor_asset_id]);
});

test.each(["reset", "500", "garbage"])(
  "a registration whose answer is lost (%s) is found again: one asset at the vendor, not two",
  async (fault) => {
    await injectFault(fault);
    const { assetId, upstreamAssetId } = await stored();
    expect(await reviewed(assetId)).toMatchObject({ status: "PROCESSING", vendor_asset_id: null });
    await decided(assetId).toBe("ACTIVE");
    const row = await findAsset(bed.ctx.db, assetId);
    expect(await sandbox.assetsNamed(upstreamAssetId)).toEqual([row?.vendor_asset_id]);
  },
);

test("a process that ends between the vendor's answer and the row leaves one asset as well", async () => {
  const { assetId, upstreamAssetId } = await stored();
  await reviewed(assetId);
  await bed.database.sql(
    "update assets set vendor_asset_id = null, status = 'PROCESSING' where id = $1",
    [assetId],
  );
  await bed.database.sql("delete from asset_reviews where asset_id = $1", [assetId]);
  await decided(assetId).toBe("ACTIVE");
  const row = await findAsset(bed.ctx.db, assetId);
  expect(await sandbox.assetsNamed(upstreamAssetId)).toEqual([row?.vendor_asset_id]);
});

test("two processes at once register one asset", async () => {
  const another = bed.openAnother();
  const { assetId, upstreamAssetId } = await stored();
  await Promise.all([reviewed(assetId), reviewed(assetId, another), reviewed(assetId, another)]);
  expect(await sandbox.assetsNamed(upstreamAssetId)).toHaveLength(1);
  await decided(assetId).toBe("ACTIVE");
});

test("who has read the row before another's registration was lost does not register it again", async () => {
  const { assetId, upstreamAssetId } = await stored();
  const row = await findAsset(bed.ctx.db, assetId);
  assert(row !== undefined);
  await injectFault("reset");
  for (const ctx of [bed.ctx, bed.openAnother()])
    expect(await ctx.reviewers.vendor?.review(row)).toEqual({ kind: "waiting" });
  expect(await sandbox.assetsNamed(upstreamAssetId)).toHaveLength(1);
});

test("one that is not found is asked for again after a while, and not before", async () => {
  await injectFault("lost"); // 500 without an asset: as good as any other 500
  const { assetId, upstreamAssetId } = await stored();
  await reviewed(assetId);
  await reviewed(assetId);
  expect(await sandbox.assetsNamed(upstreamAssetId)).toEqual([]);
  await bed.database.sql(
    "update assets set vendor_submit_started_at = vendor_submit_started_at - interval '10 minutes' where id = $1",
    [assetId],
  );
  await decided(assetId).toBe("ACTIVE");
  expect(await sandbox.assetsNamed(upstreamAssetId)).toHaveLength(1);
});

test.each(["throttle", "refuse=SubscriptionRequired", "refuse=AccessDenied", "refuse=NotFound"])(
  "%s is waited out and asked for again at once",
  async (fault) => {
    await injectFault(fault);
    const { assetId, upstreamAssetId } = await stored();
    expect(await reviewed(assetId)).toMatchObject({
      status: "PROCESSING",
      vendor_submit_started_at: null,
    });
    await decided(assetId).toBe("ACTIVE");
    expect(await sandbox.assetsNamed(upstreamAssetId)).toHaveLength(1);
  },
);

test("a file that the vendor does not take is for somebody else to decide, and not refused", async () => {
  await injectFault("refuse=InvalidParameter");
  const { assetId } = await stored();
  expect(await reviewed(assetId)).toMatchObject({
    status: "NONE", // nobody stands after the vendor here
    fail_reason: null,
  });
  expect(await listReviews(bed.ctx.db, assetId)).toMatchObject([
    { verdict: "unsure", unable: true },
  ]);
});

test("a vendor that cannot be reached, and a key that is wrong, fail no asset", async () => {
  const settings = [
    { baseUrl: "http://127.0.0.1:9" },
    { baseUrl: `${sandbox.url}/ark-assets/`, secretAccessKey: "wrong" },
  ];
  for (const change of settings) {
    await using other = await openTestBed({
      ARK_ASSETS: arkAssets(change),
      REVIEW_IMAGE: "vendor",
    });
    const account = await other.openAccount();
    const body = { url: `${source.url}/a.png`, type: "IMAGE" } as const;
    const { assetId } = await uploadAsset(other.ctx, account, body);
    await storeAsset(other.ctx, assetId);
    await reviewAsset(other.ctx, assetId);
    const row = await findAsset(other.ctx.db, assetId);
    expect(row).toMatchObject({ status: "PROCESSING", vendor_submit_started_at: null });
  }
});
