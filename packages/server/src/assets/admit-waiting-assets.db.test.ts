import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LibraryBed, openLibraryBed, paint } from "../../test/harness/library-bed.ts";
import { readAssetId } from "../../test/harness/named-ids.ts";
import type { AssetId } from "../ids.ts";
import { sweepAssets } from "./admit-waiting-assets.ts";
import { admittedMax } from "./step-queries.ts";

const cleanUp = new AsyncDisposableStack();
let library: LibraryBed;
let engine: Receiver; // stands where the engine's ingress would: what matters is what reaches it
let image: Buffer;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("turns"));
  engine = cleanUp.use(await startReceiver());
  library = cleanUp.use(await openLibraryBed(path, { RESTATE_INGRESS_URL: engine.url }));
  image = await paint();
});
afterAll(() => cleanUp.disposeAsync());

type Account = Awaited<ReturnType<typeof library.bed.openAccount>>;

/** One after another: their order is part of the promise. */
async function upload(account: Account, count: number): Promise<AssetId[]> {
  const url = library.server.offer(image);
  const ids: AssetId[] = [];
  while (ids.length < count) {
    const { status, body } = await library.call(account, "POST", "assets/upload", {
      url,
      type: "IMAGE",
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body["status"]).toBe("PROCESSING");
    ids.push(readAssetId(body["assetId"]));
  }
  return ids;
}

/** Those of the assets that the engine was asked to fetch, in their order. */
async function begun(assets: AssetId[], count: number): Promise<AssetId[]> {
  const woken = () => {
    const paths = new Set(engine.received.map(({ path }) => path));
    return assets.filter((id) => paths.has(`/asset/${id}/advance/send`));
  };
  await expect.poll(() => woken().length, { timeout: 60_000 }).toBe(count);
  return woken();
}

test("files beyond those that are fetched at once wait in PROCESSING, and each that is stored lets the next one in", async () => {
  const account = await library.bed.openAccount();
  const assets = await upload(account, admittedMax + 5);
  expect(await begun(assets, admittedMax)).toEqual(assets.slice(0, admittedMax));
  for (const id of assets.slice(0, 2)) await library.advance(id);
  expect(await begun(assets, admittedMax + 2)).toEqual(assets.slice(0, admittedMax + 2));
});

test("neither the sweep nor a status query fetches a file before its turn", async () => {
  const account = await library.bed.openAccount();
  const assets = await upload(account, admittedMax + 2);
  await begun(assets, admittedMax);
  const due = "update assets set next_step_at = now() where account_id = $1";
  await library.bed.database.sql(due, [account.id]);
  await library.call(account, "GET", `assets/status?assetId=${assets.at(-1)}`);
  await sweepAssets(library.bed.ctx);
  const [other] = await upload(await library.bed.openAccount(), 1); // its wake-up follows all of the above
  await begun(other === undefined ? [] : [other], 1);
  expect(await begun(assets, admittedMax)).toEqual(assets.slice(0, admittedMax));
});

test("a turn that a worker died with is given by the sweep, and a deleted file lets the next one in", async () => {
  const account = await library.bed.openAccount();
  const assets = await upload(account, admittedMax + 3);
  await begun(assets, admittedMax);
  const died = "update assets set status = 'FAILED' where id = $1";
  await library.bed.database.sql(died, [assets[0]]);
  await sweepAssets(library.bed.ctx);
  await begun(assets, admittedMax + 1);
  await library.call(account, "DELETE", `assets?assetId=${assets[1]}`);
  expect(await begun(assets, admittedMax + 2)).toEqual(assets.slice(0, admittedMax + 2));
});

test("an account with a long line holds up nobody else's file", async () => {
  const [greedy, modest] = [await library.bed.openAccount(), await library.bed.openAccount()];
  await upload(greedy, admittedMax + 10);
  const own = await upload(modest, 1);
  expect(await begun(own, 1)).toEqual(own);
});
