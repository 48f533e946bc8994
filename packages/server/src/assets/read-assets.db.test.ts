import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createWaker } from "../engine/waker.ts";
import type { AccountId } from "../ids.ts";
import { insertAsset } from "./queries.ts";
import { readAsset, readAssets } from "./read-assets.ts";
import { reviewAsset } from "./review/review-asset.ts";
import type { ListQuery } from "./schema.ts";

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

test("however often an asset is read, the engine is woken only when its next step is due", async () => {
  const account = await bed.openAccount();
  const { id: assetId } = await insertAsset(bed.ctx.db, {
    upstreamAssetId: "asset-20260101000000-abcde",
    accountId: account.id,
    type: "IMAGE",
    source: { kind: "url", url: "https://example.com/a.png" },
    name: null,
  });
  const waker = createWaker([engine.url], bed.ctx.log);
  const read = () => readAsset({ ...bed.ctx, waker }, account, String(assetId));
  const later = "update assets set next_step_at = now() + interval '1 minute' where id = $1";
  await bed.database.sql(later, [assetId]);
  await Promise.all(Array.from({ length: 20 }, read));
  const due = "update assets set next_step_at = now() where id = $1";
  await bed.database.sql(due, [assetId]);
  await Promise.all(Array.from({ length: 20 }, read));
  await waker.close(); // whatever was sent has arrived
  expect(engine.received.map(({ path }) => path)).toEqual([`/asset/${assetId}/advance/send`]);
});

async function insertStored(account: { id: AccountId }, name: string) {
  const source = { kind: "url", url: "https://example.com/a.png" } as const;
  const asset = { accountId: account.id, type: "IMAGE", source, name: null } as const;
  const { id } = await insertAsset(bed.ctx.db, { ...asset, upstreamAssetId: `asset-1-${name}` });
  await bed.database.sql(
    `update assets set storage_key = 'k' || id, size_bytes = 1, content_type = 'image/png', width = 1,
       height = 1, next_step_at = now() + interval '1 hour' where id = $1`,
    [id],
  );
  return id;
}

test("a status query answers with the review that it just fetched", async () => {
  const account = await bed.openAccount();
  const assetId = await insertStored(account, "fetched");
  const passed = { review: async () => ({ kind: "passed", reason: "fine" }) as const };
  const review = { ...bed.ctx.config.review, image: ["vendor" as const] };
  const config = { ...bed.ctx.config, review };
  const ctx = { ...bed.ctx, config, reviewers: { vendor: passed } };
  await using checking = await startEngine(() => reviewAsset(ctx, assetId));
  const waker = createWaker([checking.url], bed.ctx.log);
  const asset = await readAsset({ ...ctx, waker }, account, String(assetId));
  expect(asset.status).toBe("ACTIVE");
  await waker.close();
});

test("one check of an asset is under way at a time, however many ask and however long it takes", async () => {
  const account = await bed.openAccount();
  const assetId = await insertStored(account, "once");
  const hanging = Promise.withResolvers<void>();
  await using checking = await startEngine(() => hanging.promise);
  const waker = createWaker([checking.url], bed.ctx.log);
  const ctx = { ...bed.ctx, waker };
  const first = readAsset(ctx, account, String(assetId));
  await checking.asked;
  const { used } = bed.ctx.pool.usage();
  expect(used, "connections to the database while a query waits").toBe(0);
  const others = Array.from({ length: 20 }, () => readAsset(ctx, account, String(assetId)));
  for (const asset of await Promise.all(others)) expect(asset.status).toBe("PROCESSING");
  expect(checking.count()).toBe(1);
  expect((await first).status).toBe("PROCESSING"); // after a bounded wait, without a response
  hanging.resolve();
  await waker.close();
});

test("who has many assets in review is not waited for on all of them", async () => {
  const account = await bed.openAccount();
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, index) => insertStored(account, `many${index}`)),
  );
  const hanging = Promise.withResolvers<void>();
  await using checking = await startEngine(() => hanging.promise);
  const waker = createWaker([checking.url], bed.ctx.log);
  const reads = ids.map((id) => readAsset({ ...bed.ctx, waker }, account, String(id)));
  await Promise.all(reads);
  expect(checking.count()).toBe(4);
  expect(checking.sent()).toBe(8);
  hanging.resolve();
  await waker.close();
});

/**
 * Starts a stand-in for the engine's ingress: a call gets its response when its work is done, a message at
 * once.
 */
async function startEngine(work: () => Promise<void>) {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  let [calls, messages] = [0, 0];
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/send")) {
      messages += 1;
      response.writeHead(202).end();
      return;
    }
    calls += 1;
    onAsked();
    await work();
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    count: () => calls,
    sent: () => messages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a name finds assets by a part of it, in either case, page by page", async () => {
  const account = await bed.openAccount();
  let made = 0;
  const insert = async (name: string | null, type: "IMAGE" | "AUDIO") => {
    const source = { kind: "url", url: "https://example.com/a.png" } as const;
    made += 1;
    const upstreamAssetId = `asset-1-named${made}`;
    const asset = { accountId: account.id, type, source, name, upstreamAssetId };
    return (await insertAsset(bed.ctx.db, asset)).id;
  };
  const first = await insert("Sea 100%", "IMAGE");
  const second = await insert("north SEA", "IMAGE");
  await insert(null, "IMAGE");
  const sound = await insert("sea", "AUDIO");
  const read = async (query: Partial<ListQuery>) => {
    const { items, nextCursor } = await readAssets(bed.ctx, account, { limit: 2, ...query });
    return [items.map(({ assetId }) => assetId), nextCursor];
  };
  expect(await read({ name: "sea" })).toEqual([[sound, second], second]);
  expect(await read({ name: "sea", cursor: second })).toEqual([[first], null]);
  expect(await read({ name: "0%" })).toEqual([[first], null]);
  expect(await read({ name: "sea", type: "AUDIO" })).toEqual([[sound], null]);
  expect(await read({ name: "lake" })).toEqual([[], null]);
});
