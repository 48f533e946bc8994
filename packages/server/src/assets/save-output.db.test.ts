import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { finishWith, type MadeOutput } from "../../test/harness/finish-with.ts";
import { judge } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed, paint } from "../../test/harness/library-bed.ts";
import type { AssetId } from "../ids.ts";
import { reviewAsset } from "./review/review-asset.ts";
import type { AssetAnswer } from "./schema.ts";

type Account = Awaited<ReturnType<LibraryBed["bed"]["openAccount"]>>;

const cleanUp = new AsyncDisposableStack();
let library: LibraryBed;
let image: Buffer;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("saved"));
  library = cleanUp.use(await openLibraryBed(path, { REVIEW_IMAGE: "manual" }));
  image = await paint();
});
afterAll(() => cleanUp.disposeAsync());

const make = (account: Account, bytes = image) =>
  finishWith(library.bed, account, {
    bytes,
    extension: "png",
    contentType: "image/png",
    width: 640,
    height: 480,
    durationMs: null,
  });

const namesOf = ({ taskId, link }: MadeOutput) => [`task://${taskId}/0`, `task://${taskId}`, link];

async function save(account: Account, url: string, more: object = {}): Promise<AssetAnswer> {
  const body = { url, type: "IMAGE", ...more };
  const saved = await library.call(account, "POST", "assets/upload", body);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return saved.body as unknown as AssetAnswer;
}

async function decide(assetId: AssetId, verdict: "passed" | "refused"): Promise<void> {
  await judge(library.bed.ctx, assetId, verdict);
  await reviewAsset(library.bed.ctx, assetId);
}

async function idsOf(account: Account): Promise<unknown[]> {
  const { body } = await library.call(account, "GET", "assets/list");
  return (body["items"] as AssetAnswer[]).map(({ assetId }) => assetId);
}

test("an output is one asset by whichever name it is saved, before it is stored, in review and once it has passed", async () => {
  const account = await library.bed.openAccount();
  const output = await make(account);
  const { link, taskId } = output;
  const { assetId } = await save(account, `task://${taskId}`, { name: "heron" });
  const saveAll = async () => {
    for (const url of namesOf(output))
      expect(await save(account, url, { name: "other" })).toMatchObject({ assetId, name: "heron" });
  };
  await saveAll();
  await library.advance(assetId);
  await saveAll();
  await decide(assetId, "passed");
  await saveAll();
  expect(await save(account, link)).toMatchObject({ status: "ACTIVE", url: `task://${taskId}` });
  expect(await idsOf(account)).toEqual([assetId]);
});

test("an output that is saved several times at once is one asset", async () => {
  const account = await library.bed.openAccount();
  const output = await make(account);
  const names = [...namesOf(output), ...namesOf(output)];
  const saved = await Promise.all(names.map((url) => save(account, url)));
  expect(new Set(saved.map(({ assetId }) => assetId)).size).toBe(1);
  expect(await idsOf(account)).toHaveLength(1);
});

test("another account's, a deleted and a failed asset are none; another output is another asset until its bytes are known to be the same", async () => {
  const [account, other] = [await library.bed.openAccount(), await library.bed.openAccount()];
  const output = await make(account);
  const url = `task://${output.taskId}`;
  const { assetId } = await save(account, url);
  expect((await save(other, `task://${(await make(other)).taskId}`)).assetId).not.toBe(assetId);
  const different = await make(account, await paint(320, 320));
  expect((await save(account, `task://${different.taskId}`)).assetId).not.toBe(assetId);
  await library.advance(assetId);
  expect((await save(account, (await make(account)).link)).assetId).toBe(assetId);
  await library.call(account, "DELETE", `assets?assetId=${assetId}`);
  const again = await save(account, url);
  expect(again).toMatchObject({ status: "PROCESSING" });
  expect(again.assetId).not.toBe(assetId);
  const fail = "update assets set status = 'FAILED', fail_code = 'unreachable' where id = $1";
  await library.bed.database.sql(fail, [again.assetId]);
  expect((await save(account, url)).assetId).not.toBe(again.assetId);
});

test("an output that a review refused is answered as the refused asset; once that is deleted it is reviewed again", async () => {
  const account = await library.bed.openAccount();
  const { taskId } = await make(account);
  const { assetId } = await save(account, `task://${taskId}`);
  await library.advance(assetId);
  await decide(assetId, "refused");
  expect(await save(account, `task://${taskId}/0`)).toMatchObject({ assetId, status: "FAILED" });
  await library.call(account, "DELETE", `assets?assetId=${assetId}`);
  const again = await save(account, `task://${taskId}/0`);
  expect(again).toMatchObject({ status: "PROCESSING" });
  expect(again.assetId).not.toBe(assetId);
});

test("two outputs of the same bytes that became two assets before they were copied stay two, each with its own", async () => {
  const account = await library.bed.openAccount();
  const outputs = [await make(account), await make(account)];
  const saveAll = async () => {
    const saved = [];
    for (const { link } of outputs) saved.push((await save(account, link)).assetId);
    return saved;
  };
  const assetIds = await saveAll();
  expect(new Set(assetIds).size).toBe(2);
  for (const assetId of assetIds) await library.advance(assetId);
  const [first, second] = assetIds;
  if (first !== undefined) await decide(first, "passed");
  expect(await saveAll()).toEqual([first, second]);
});

test("a declaration is about an asset of its own", async () => {
  const account = await library.bed.openAccount();
  const { taskId, link } = await make(account);
  const first = await save(account, link);
  await library.advance(first.assetId);
  const declaration = { people: "Ada Lovelace", purpose: "Videos for her own page" };
  const declared = await save(account, `task://${taskId}`, { declaration });
  expect(declared.assetId).not.toBe(first.assetId);
  const path = `assets/declaration?assetId=${declared.assetId}`;
  expect((await library.call(account, "GET", path)).body).toMatchObject(declaration);
  await library.advance(declared.assetId);
  await decide(declared.assetId, "passed");
  expect((await save(account, link)).assetId).toBe(first.assetId);
});

test("a web address is fetched as a new asset every time: what it serves may have changed", async () => {
  const account = await library.bed.openAccount();
  const url = library.server.offer(image);
  expect((await save(account, url)).assetId).not.toBe((await save(account, url)).assetId);
});

test("a library that is full still answers what it has", async () => {
  const account = await library.bed.openAccount();
  const { taskId } = await make(account);
  const { assetId } = await save(account, `task://${taskId}`);
  const limit = `insert into account_libraries (account_id, open_assets_max) values ($1, 1)
    on conflict (account_id) do update set open_assets_max = 1`;
  await library.bed.database.sql(limit, [account.id]);
  expect(await save(account, `task://${taskId}`)).toMatchObject({ assetId });
});
