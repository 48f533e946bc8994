import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../../test/harness/judge.ts";
import { type LibraryBed, openLibraryBed, paint } from "../../test/harness/library-bed.ts";
import { readAssetId } from "../../test/harness/named-ids.ts";
import { inTransaction } from "../db/database.ts";
import { findMiscounted, recountLibrary, setLibraryLimits } from "./library-queries.ts";

const cleanUp = new AsyncDisposableStack();
let library: LibraryBed;
let image: Buffer;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("limits"));
  library = cleanUp.use(await openLibraryBed(path));
  image = await paint();
});
afterAll(() => cleanUp.disposeAsync());

type Limits = Parameters<typeof setLibraryLimits>[2];
async function openAccount(limits: Limits = {}) {
  const account = await library.bed.openAccount();
  await setLibraryLimits(library.bed.ctx.db, account.id, limits);
  return account;
}
type Account = Awaited<ReturnType<typeof openAccount>>;

/** Repeats what was only refused because the account's requests before it took long. */
async function call(account: Account, path: string, body: object) {
  for (;;) {
    const answer = await library.call(account, "POST", path, body);
    if (answer.body["code"] !== "account_busy") return answer;
  }
}
const upload = (account: Account) =>
  call(account, "assets/upload", { url: library.server.offer(image), type: "IMAGE" });
const begin = (account: Account, size: number) =>
  call(account, "assets/uploads", { type: "IMAGE", size });
const storedBytes = async (account: Account) => {
  const text = "select stored_bytes from account_libraries where account_id = $1";
  const [row] = await library.bed.database.sql<{ stored_bytes: string }>(text, [account.id]);
  return Number(row?.stored_bytes);
};
const refusal = (code: string) => ({
  status: 429,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { code, message: expect.any(String) },
});

/** Waiting does not lift it. */
const full = {
  status: 403,
  retryAfter: undefined,
  body: { code: "storage_limit", message: expect.any(String) },
};

test("of many uploads at once no more are open than the account may have; storing one makes room", async () => {
  const account = await openAccount({ openAssetsMax: 3 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => upload(account)));
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(3);
  for (const answer of answers)
    if (answer.status !== 200) expect(answer).toMatchObject(refusal("open_assets_limit"));
  await library.advance(readAssetId(taken[0]?.body["assetId"]));
  expect((await upload(account)).status).toBe(200);
  expect((await upload(account)).status).toBe(429);
  expect((await upload(await openAccount())).status).toBe(200); // nobody else is held up
});

test("of many direct uploads at once no more are open than the account may have", async () => {
  const account = await openAccount({ openUploadsMax: 2 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => begin(account, 1_000)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const answer of answers)
    if (answer.status !== 200) expect(answer).toMatchObject(refusal("open_uploads_limit"));
});

test("direct uploads reserve their bytes: together they never promise more than the account may store", async () => {
  const account = await openAccount({ storedBytesMax: 10_000 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => begin(account, 4_000)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(full);
  expect((await begin(account, 2_000)).status).toBe(200); // to the last byte
  expect(await begin(account, 1)).toMatchObject(full);
  expect(await upload(account)).toMatchObject(full);
});

test("files whose size nobody knew before are stored up to the limit, and the next one fails and says why", async () => {
  const account = await openAccount({ storedBytesMax: 2 * image.length });
  const open = await Promise.all(Array.from({ length: 4 }, () => upload(account)));
  await Promise.all(open.map(({ body }) => library.advance(readAssetId(body["assetId"]))));
  const seen = await Promise.all(
    open.map(({ body }) =>
      library.call(account, "GET", `assets/status?assetId=${body["assetId"]}`),
    ),
  );
  const failed = seen.filter(({ body }) => body["status"] === "FAILED");
  expect(failed).toHaveLength(2);
  for (const { body } of failed)
    expect(body["failReason"]).toMatch(/storage of this account is full/);
  expect(await storedBytes(account)).toBe(2 * image.length);
  expect(await upload(account)).toMatchObject(full);
  const stored = seen.find(({ body }) => body["status"] === "PROCESSING");
  await library.call(account, "DELETE", `assets?assetId=${stored?.body["assetId"]}`);
  expect(await storedBytes(account)).toBe(image.length);
  expect((await upload(account)).status).toBe(200);
});

test("a refused asset takes no storage, and the counter is the sum of the copies", async () => {
  const account = await openAccount();
  const { body } = await upload(account);
  const assetId = readAssetId(body["assetId"]);
  await library.advance(assetId);
  expect(await storedBytes(account)).toBe(image.length);
  await judge(library.bed.ctx, assetId, "refused");
  await library.advance(assetId);
  expect(await storedBytes(account)).toBe(0);
  expect(await inTransaction(library.bed.ctx.db, findMiscounted)).toEqual([]);
});

test("a counter that is wrong is found and mended", async () => {
  const account = await openAccount();
  const { body } = await upload(account);
  await library.advance(readAssetId(body["assetId"]));
  const spoil = "update account_libraries set stored_bytes = 7 where account_id = $1";
  await library.bed.database.sql(spoil, [account.id]);
  const { db } = library.bed.ctx;
  expect(await inTransaction(db, findMiscounted)).toEqual([
    { accountId: account.id, storedBytes: 7, actualBytes: image.length },
  ]);
  await inTransaction(db, (tx) => recountLibrary(tx, account.id));
  expect(await storedBytes(account)).toBe(image.length);
  expect(await inTransaction(db, findMiscounted)).toEqual([]);
});
