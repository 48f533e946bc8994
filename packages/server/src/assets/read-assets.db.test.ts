import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../test/harness/receiver.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createWaker } from "../tasks/waker.ts";
import { insertAsset } from "./queries.ts";
import { readAsset } from "./read-assets.ts";

let engine: Receiver; // stands where the engine's ingress would
let bed: TestBed;
beforeAll(async () => {
  engine = await startReceiver(() => 202);
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

test("however often an asset is read, the engine is told only when its next step is due", async () => {
  const account = await bed.openAccount();
  const assetId = await insertAsset(bed.ctx.db, {
    upstreamAssetId: "asset-20260101000000-abcde",
    accountId: account.id,
    type: "IMAGE",
    source: { url: "https://example.com/a.png" },
    name: null,
  });
  const waker = createWaker(engine.url, bed.ctx.log);
  const read = () => readAsset({ ...bed.ctx, waker }, account, String(assetId));
  const later = "update assets set next_step_at = now() + interval '1 minute' where id = $1";
  await bed.database.sql(later, [assetId]);
  await Promise.all(Array.from({ length: 20 }, read));
  const due = "update assets set next_step_at = now() where id = $1";
  await bed.database.sql(due, [assetId]);
  await Promise.all(Array.from({ length: 20 }, read));
  await waker.close(); // whatever was sent has arrived
  expect(engine.received.map(({ url }) => url)).toEqual([`/asset/${assetId}/advance/send`]);
});
