import { afterAll, beforeAll, expect, test } from "vitest";
import { openUpscaleBed, type UpscaleBed } from "../../test/harness/upscale-bed.ts";

let bed: UpscaleBed;
beforeAll(async () => {
  bed = await openUpscaleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const fromUrl = {
  source: { type: "url", url: "https://videos.example.com/a.mp4" },
  targetResolution: "1080p",
};
const quote = (account: Parameters<UpscaleBed["post"]>[0], body: unknown) =>
  bed.post(account, "upscale/quote", body);

test.each([
  ["1080p", "A", 3],
  ["2k", "A", 5],
  ["4k", "A", 7],
  ["1080p", "B", 25],
  ["2k", "B", 38],
  ["4k", "B", 50],
] as const)(
  "of a stored asset, to %s by the book %s: the quote is the hold, %i credits a second",
  async (targetResolution, priceBook, rate) => {
    const account = await bed.openAccount({ credits: 21 * rate, priceBook });
    const storageUrl = await bed.storeAsset(account, { durationMs: 20_001 });
    const body = { source: { type: "uploadId", storageUrl }, targetResolution };
    const credits = 21 * rate;
    const item = { item: "upscale", description: `upscale to ${targetResolution}` };
    expect(await quote(account, body)).toEqual({
      http: 200,
      credits,
      seconds: 21,
      isMeasured: true,
      items: [{ ...item, unit: "second", quantity: 21, creditsPerUnit: rate, credits }],
      priceVersion: `${priceBook}@1`,
    });
    expect(await bed.create(account, { ...body, maxCredits: credits })).toMatchObject({
      http: 200,
    });
    expect(await bed.read(account, "account/credits")).toMatchObject({ availableCredits: 0 });
  },
);

test.each([
  ["as long as its frames, 120 a second", { durationMs: 10_000, frames: 1_200 }, 20, true],
  ["as long as its duration, at 60 a second", { durationMs: 10_000, frames: 600 }, 10, true],
  [
    "at least as long as its duration, with frames that nobody counted",
    { frames: null },
    20,
    false,
  ],
])("a stored asset is %s", async (_name, copy, seconds, isMeasured) => {
  const account = await bed.openAccount({ credits: 3 * seconds });
  const source = { type: "uploadId", storageUrl: await bed.storeAsset(account, copy) };
  const body = { source, targetResolution: "1080p" };
  const credits = 3 * seconds;
  expect(await quote(account, body)).toMatchObject({ http: 200, credits, seconds, isMeasured });
  expect(await bed.create(account, body)).toMatchObject({ http: 200 });
  expect(await bed.read(account, "account/credits")).toMatchObject({ availableCredits: 0 });
});

test("by URL the quote is the least price, and says that the source is not measured", async () => {
  const account = await bed.openAccount();
  const seconds = { seconds: 5, isMeasured: false };
  expect(await quote(account, fromUrl)).toMatchObject({ http: 200, credits: 15, ...seconds });
});

test("a quote holds nothing and writes nothing, and needs neither credits nor room for a task", async () => {
  const account = await bed.openAccount({ credits: 0, openTasksMax: 0 });
  const counts = `select (select count(*) from tasks) as tasks, (select count(*) from transfers) as transfers,
    (select count(*) from idempotency_keys) as keys`;
  const before = await bed.database.sql(counts);
  expect(await quote(account, { ...fromUrl, maxCredits: 1 })).toMatchObject({ credits: 15 });
  expect(await bed.database.sql(counts)).toEqual(before);
});

test("the quote refuses what create refuses, with the same words", async () => {
  const [owner, stranger] = [await bed.openAccount(), await bed.openAccount()];
  const storageUrl = await bed.storeAsset(owner);
  const wide = await bed.storeAsset(stranger, { width: 1920, height: 1080 });
  const fast = await bed.storeAsset(stranger, { durationMs: 301_000, frames: 36_120 });
  const ofAsset = (url: string) => ({ type: "uploadId", storageUrl: url });
  const bodies = [
    { ...fromUrl, targetResolution: "720p" },
    { ...fromUrl, callBackUrl: "http://10.0.0.1/" },
    { ...fromUrl, source: { type: "url" } },
    { ...fromUrl, source: { type: "url", url: "http://videos.example.com/a.mp4" } },
    { ...fromUrl, source: { type: "task", taskId: "none" } },
    { ...fromUrl, source: ofAsset(storageUrl) },
    { ...fromUrl, source: ofAsset(wide) },
    { ...fromUrl, source: ofAsset(fast) },
  ];
  for (const body of bodies) {
    const quoted = await quote(stranger, body);
    const { code, param, message } = await bed.create(stranger, body);
    expect(quoted).toMatchObject({ http: 400, code, param, message });
  }
});

test("models lists the upscaler's targets and its longest source", async () => {
  const account = await bed.openAccount({ priceBook: "B" });
  expect(await bed.read(account, "models")).toMatchObject({
    upscaler: {
      targets: [
        { targetResolution: "1080p", shortSide: 1080 },
        { targetResolution: "2k", shortSide: 1440 },
        { targetResolution: "4k", shortSide: 2160 },
      ],
      secondsMax: 600,
    },
  });
});
