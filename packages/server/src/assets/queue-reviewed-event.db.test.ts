import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { type AssetId, type EndpointId, newId } from "../ids.ts";
import { newPrivateKey } from "../media/storage/storage.ts";
import { reviewedAsset } from "../webhooks/endpoints/schema.ts";
import { newAssetId } from "./asset-id.ts";
import { decideAsset } from "./settle-queries.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

test("the end of a review is told to the endpoints that want it, once for each asset", async () => {
  const { id: accountId } = await bed.openAccount();
  const endpoint = `insert into webhook_endpoints (id, account_id, url, events, description, secret)
    values ($1, $2, 'https://example.com/', '{asset.reviewed}', '', 'x')`;
  await bed.database.sql(endpoint, [newId<EndpointId>(0), accountId]);
  const open = async () => {
    const [row] = await bed.database.sql<{ id: AssetId; name: string }>(
      `insert into assets (account_id, upstream_asset_id, type, status, url, content_type, size_bytes, width,
                           height, storage_key, sha256)
       values ($1, $2, 'IMAGE', 'PROCESSING', 'https://example.com/a.png', 'image/png', 9, 640, 480, $3, $4)
       returning id, upstream_asset_id as name`,
      [accountId, newAssetId(new Date()), newPrivateKey("png"), "0".repeat(64)],
    );
    if (row === undefined) throw new Error("unreachable");
    return row;
  };
  const [good, bad] = [await open(), await open()];
  const refusal = { status: "FAILED", reason: "nudity", code: "refused" } as const;
  expect(await decideAsset(bed.ctx.db, good.id, { status: "ACTIVE" })).toBe(true);
  expect(await decideAsset(bed.ctx.db, bad.id, refusal)).toBe(true);
  expect(await decideAsset(bed.ctx.db, bad.id, { status: "ACTIVE" })).toBe(false);
  const reported = await bed.database.sql<{ body: string }>(
    "select body from deliveries where account_id = $1 order by created_at",
    [accountId],
  );
  const dataOf = (asset: typeof good) => ({
    assetId: Number(asset.id),
    upstreamAssetId: asset.name,
  });
  const events = reported.map(({ body }) => JSON.parse(body));
  for (const { data } of events) expect(reviewedAsset.strict().parse(data)).toEqual(data); // as documented
  expect(events).toMatchObject([
    { type: "asset.reviewed", data: { ...dataOf(good), status: "ACTIVE", failReason: null } },
    { type: "asset.reviewed", data: { ...dataOf(bad), status: "FAILED", failReason: "nudity" } },
  ]);
});
