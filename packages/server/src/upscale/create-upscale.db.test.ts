import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openUpscaleBed, type UpscaleBed } from "../../test/harness/upscale-bed.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import { newObjectKey } from "../media/storage/storage.ts";
import type { AssetFacts } from "../models/asset-rules.ts";

let bed: UpscaleBed;
beforeAll(async () => {
  bed = await openUpscaleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const url = "https://videos.example.com/a.mp4";
const longUrl = `${url}?${"x".repeat(4_096)}`;
const fromUrl = { source: { type: "url", url }, targetResolution: "1080p" };

function fromAsset(storageUrl: string, targetResolution = "1080p") {
  return { source: { type: "uploadId", storageUrl }, targetResolution };
}

describe("200", () => {
  test("by URL: the task is validating, and the least it can cost is held under orderId", async () => {
    const account = await bed.openAccount({ credits: 15 });
    const created = await bed.create(account, fromUrl);
    expect(created).toEqual({
      http: 200,
      status: "validating",
      taskId: expect.any(String),
      orderId: expect.any(String),
    });
    expect(await bed.read(account, `upscale/query?taskId=${created["taskId"]}`)).toEqual({
      http: 200,
      status: "validating",
      taskId: created["taskId"],
      targetResolution: "1080p",
      progress: 0,
      creditsConsumed: null,
      result: null,
      error: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      finishedAt: null,
    });
    const rows = await bed.database.sql(
      "select id, amount::int, cause_id from transfers where account_id = $1 and kind = 'hold'",
      [account.id],
    );
    expect(rows).toEqual([{ id: created["orderId"], amount: 15, cause_id: created["taskId"] }]);
  });

  test.each([
    ["1080p", "A", 3],
    ["2k", "A", 5],
    ["4k", "A", 7],
    ["1080p", "B", 25],
    ["2k", "B", 38],
    ["4k", "B", 50],
  ] as const)(
    "of an asset, to %s by the book %s: %i credits a second are held for its whole seconds",
    async (target, priceBook, rate) => {
      const account = await bed.openAccount({ credits: 21 * rate, priceBook });
      const storageUrl = await bed.storeAsset(account, { durationMs: 20_001 });
      expect(await bed.create(account, fromAsset(storageUrl, target))).toMatchObject({
        status: "validating",
      });
      expect(await bed.read(account, "account/credits")).toMatchObject({ availableCredits: 0 });
    },
  );

  test.each([
    [1, 5],
    [4_999, 5],
    [5_000, 5],
    [5_001, 6],
    [600_000, 600],
  ])("an asset of %i ms is held as %i s", async (durationMs, seconds) => {
    const account = await bed.openAccount({ credits: 3 * seconds });
    const body = fromAsset(await bed.storeAsset(account, { durationMs }));
    expect(await bed.create(account, body)).toMatchObject({ status: "validating" });
    expect(await bed.read(account, "account/credits")).toMatchObject({ availableCredits: 0 });
  });

  test("an asset that was stored without a review is taken", async () => {
    const account = await bed.openAccount();
    const body = fromAsset(await bed.storeAsset(account, { status: "NONE" }));
    expect(await bed.create(account, body)).toMatchObject({ status: "validating" });
  });

  test("callBackUrl may be null; an address with odd characters is kept in its normal form", async () => {
    const account = await bed.openAccount();
    const odd = `${url}?a=ü b`;
    const source = { type: "url", url: odd };
    const { taskId } = await bed.create(account, { ...fromUrl, source, callBackUrl: null });
    const rows = await bed.database.sql("select request from tasks where id = $1", [taskId]);
    expect(rows).toEqual([{ request: { target: "1080p", source: { url: new URL(odd).href } } }]);
  });

  test.each(["", null])("a callBackUrl of %j is the same as none", async (callBackUrl) => {
    const account = await bed.openAccount();
    const { taskId } = await bed.create(account, { ...fromUrl, callBackUrl });
    const rows = await bed.database.sql("select callback_url from tasks where id = $1", [taskId]);
    expect(rows).toEqual([{ callback_url: null }]);
    expect(await bed.post(account, "upscale/quote", { ...fromUrl, callBackUrl })).toMatchObject({
      http: 200,
    });
  });

  test("the same Idempotency-Key is the same task and order, held once, also after its asset was refused", async () => {
    const account = await bed.openAccount({ credits: 60 });
    const storageUrl = await bed.storeAsset(account);
    const headers = { "idempotency-key": "once" };
    const first = await bed.create(account, fromAsset(storageUrl), headers);
    expect(first).toMatchObject({ status: "validating", orderId: expect.any(String) });
    await bed.database.sql("update assets set status = 'FAILED' where account_id = $1", [
      account.id,
    ]);
    expect(await bed.create(account, fromAsset(storageUrl), headers)).toEqual(first);
    expect(await bed.create(account, fromUrl, headers)).toMatchObject({
      http: 422,
      code: "idempotency_key_reused",
    });
    expect(await bed.read(account, "account/credits")).toMatchObject({ availableCredits: 0 });
  });
});

describe("400: the body", () => {
  test.each([
    ["source", { targetResolution: "1080p" }],
    ["source", { ...fromUrl, source: url }],
    ["source", { ...fromUrl, source: null }],
    ["source", { ...fromUrl, source: [] }],
    ["source.type", { ...fromUrl, source: { url } }],
    ["source.type", { ...fromUrl, source: { type: "file", url } }],
    ["source.url", { ...fromUrl, source: { type: "url" } }],
    ["source.url", { ...fromUrl, source: { type: "url", url: 7 } }],
    ["source.url", { ...fromUrl, source: { type: "url", url: null } }],
    ["source.url", { ...fromUrl, source: { type: "url", url: longUrl } }],
    ["source.storageUrl", { ...fromUrl, source: { type: "uploadId" } }],
    ["source.storageUrl", { ...fromUrl, source: { type: "uploadId", storageUrl: 7 } }],
    ["source.storageUrl", { ...fromUrl, source: { type: "url", url, storageUrl: url } }],
    ["source.url", { ...fromUrl, source: { type: "uploadId", storageUrl: url, url } }],
    ["source.name", { ...fromUrl, source: { type: "url", url, name: "a" } }],
    ["targetResolution", { source: fromUrl.source }],
    ["targetResolution", { ...fromUrl, targetResolution: "720p" }],
    ["targetResolution", { ...fromUrl, targetResolution: "4K" }],
    ["targetResolution", { ...fromUrl, targetResolution: 1080 }],
    ["callBackUrl", { ...fromUrl, callBackUrl: "ftp://example.com/" }],
    ["callBackUrl", { ...fromUrl, callBackUrl: "http://10.0.0.1/" }],
    ["callBackUrl", { ...fromUrl, callBackUrl: 7 }],
    ["model", { ...fromUrl, model: "upscale" }],
    ["body", []],
  ])("the fault in %s is named: %.200j", async (param, body) => {
    const account = await bed.openAccount({ credits: 100 });
    const message = expect.stringMatching(new RegExp(`^${param.replace(/[.[\]]/g, "\\$&")}: .+`));
    const isSource = param.startsWith("source") && "source" in body && body.source;
    const code = isSource ? "INVALID_URL" : "invalid_parameters";
    expect(await bed.create(account, body)).toMatchObject({ http: 400, code, param, message });
    await bed.expectNothingHeld(account, 100);
  });

  test.each([
    "",
    "videos.example.com/a.mp4",
    "http://videos.example.com/a.mp4",
    "ftp://videos.example.com/a.mp4",
    "data:video/mp4;base64,AAAA",
    "https://10.0.0.1/a.mp4",
    "https://192.168.1.1/a.mp4",
    "https://169.254.169.254/latest",
    "https://[fd00::1]/a.mp4",
    "https://0xa000001/a.mp4",
    "https://videos.internal/a.mp4",
    "https://user:pass@videos.example.com/a.mp4",
    "https://videos.example.com:25/a.mp4",
    "http://localhost.example.com/a.mp4",
  ])("INVALID_URL: %s", async (bad) => {
    const account = await bed.openAccount({ credits: 100 });
    expect(
      await bed.create(account, { ...fromUrl, source: { type: "url", url: bad } }),
    ).toMatchObject({
      http: 400,
      code: "INVALID_URL",
      param: "source.url",
      message: expect.stringMatching(/^source\.url: must /),
    });
    await bed.expectNothingHeld(account, 100);
  });
});

test("a blank URL beside a task as source is the same as none", async () => {
  const account = await bed.openAccount({ credits: 5_000 });
  const taskId = "01998b6e-2bff-7000-8000-000000000002"; // nobody's
  const create = (more: object) =>
    bed.create(account, { ...fromUrl, source: { type: "task", taskId, ...more } });
  const refused = await create({});
  expect(await create({ url: "", storageUrl: "" })).toEqual({
    ...refused,
    requestId: expect.any(String),
  });
  expect(await create({ url: "https://videos.example.com/b.mp4" })).toMatchObject({
    http: 400,
    param: "source.url",
    message: expect.stringContaining("is not accepted here"),
  });
});

test("a blank URL of the other kind of source is the same as none; one that is not blank is refused by name", async () => {
  const account = await bed.openAccount({ credits: 5_000 });
  const withOther = (storageUrl: string) => ({
    ...fromUrl,
    source: { type: "url", url: "https://videos.example.com/a.mp4", storageUrl },
  });
  expect(await bed.create(account, withOther(""))).toMatchObject({ http: 200 });
  expect(await bed.create(account, withOther("https://videos.example.com/b.mp4"))).toMatchObject({
    http: 400,
    param: "source.storageUrl",
    message: expect.stringContaining("is not accepted here"),
  });
});

describe("400: the asset", () => {
  test.each([
    ["UNSUPPORTED_MEDIA_TYPE", { type: "IMAGE", contentType: "image/png", durationMs: null }],
    [
      "UNSUPPORTED_MEDIA_TYPE",
      { type: "AUDIO", contentType: "audio/mpeg", width: null, height: null },
    ],
    ["UNSUPPORTED_MEDIA_TYPE", { width: 8_000, height: 100 }],
    ["FILE_TOO_LARGE", { sizeBytes: 200 * 1024 * 1024 + 1 }],
    ["DURATION_EXCEEDS_LIMIT", { durationMs: 600_001 }],
    ["SOURCE_RESOLUTION_TOO_HIGH", { width: 1920, height: 1080 }],
    ["SOURCE_RESOLUTION_TOO_HIGH", { width: 1080, height: 1920 }],
    ["SOURCE_RESOLUTION_TOO_HIGH", { width: 3840, height: 2160 }],
    ["SOURCE_GONE", { status: "FAILED" }], // its copy is gone
  ] satisfies [string, Partial<AssetFacts>][])("%s: %j", async (code, copy) => {
    const account = await bed.openAccount({ credits: 5_000 });
    const refusal = { http: 400, code, param: "source.storageUrl", message: expect.any(String) };
    const body = fromAsset(await bed.storeAsset(account, copy));
    expect(await bed.create(account, body)).toMatchObject(refusal);
    await bed.expectNothingHeld(account, 5_000);
  });

  test.each([
    [{ sizeBytes: 200 * 1024 * 1024 }, "1080p"],
    [{ durationMs: 600_000 }, "1080p"],
    [{ width: 1919, height: 1079 }, "1080p"],
    [{ width: 1920, height: 1080 }, "2k"],
    [{ width: 2560, height: 1440 }, "4k"],
    [{ status: "PROCESSING" }, "1080p"], // a review is for references
  ] satisfies [Partial<AssetFacts>, string][])(
    "just within the limits: %j to %s",
    async (copy, target) => {
      const account = await bed.openAccount();
      const body = fromAsset(await bed.storeAsset(account, copy), target);
      expect(await bed.create(account, body)).toMatchObject({ status: "validating" });
    },
  );

  test("an asset of another account is refused with the message for one that does not exist", async () => {
    const [owner, stranger] = [await bed.openAccount(), await bed.openAccount({ credits: 100 })];
    const theirs = await bed.storeAsset(owner);
    const missing = mediaUrl(bed.ctx.config.links.publicUrl, newObjectKey("mp4"));
    const elsewhere = theirs.replace("127.0.0.1", "127.0.0.2");
    const [toTheirs, ...toOthers] = await Promise.all(
      [theirs, missing, elsewhere, `${theirs}?a`, "", url].map(async (storageUrl) => {
        const { requestId: _, ...refusal } = await bed.create(stranger, fromAsset(storageUrl));
        return refusal;
      }),
    );
    expect(toTheirs).toMatchObject({
      http: 400,
      code: "INVALID_URL",
      param: "source.storageUrl",
    });
    expect(toOthers).toEqual(toOthers.map(() => toTheirs));
    await bed.expectNothingHeld(stranger, 100);
  });
});

describe("who may", () => {
  test("402 INSUFFICIENT_CREDITS: one credit less than the least, or than an asset's seconds", async () => {
    const account = await bed.openAccount({ credits: 14 });
    const code = "INSUFFICIENT_CREDITS";
    const refusal = { http: 402, code, message: expect.stringMatching(/15 credits/) };
    expect(await bed.create(account, fromUrl)).toMatchObject(refusal);
    const rich = await bed.openAccount({ credits: 59 });
    expect(await bed.create(rich, fromAsset(await bed.storeAsset(rich)))).toMatchObject({
      http: 402,
      code,
      message: expect.stringMatching(/60 credits, but only 59/),
    });
    await bed.expectNothingHeld(account, 14);
    await bed.expectNothingHeld(rich, 59);
  });

  test("402 price_above_max: the least costs more than maxCredits", async () => {
    const created = await bed.create(await bed.openAccount(), { ...fromUrl, maxCredits: 14 });
    expect(created).toMatchObject({ http: 402, code: "price_above_max" });
  });

  test("402 key_budget_exceeded: the key has a budget of its own", async () => {
    const account = await bed.openAccount({ limits: { creditsMax: 14 } });
    expect(await bed.create(account, fromUrl)).toMatchObject({
      http: 402,
      code: "key_budget_exceeded",
    });
  });

  test("403: a key for other models; one for `upscale` may", async () => {
    const other = await bed.openAccount({ limits: { models: ["sd2"] } });
    expect(await bed.create(other, fromUrl)).toMatchObject({
      http: 403,
      code: "model_not_allowed",
      message: expect.stringMatching(/sd2/),
    });
    const own = await bed.openAccount({ limits: { models: ["upscale"] } });
    expect(await bed.create(own, fromUrl)).toMatchObject({ status: "validating" });
  });

  test("429: videos and upscales count together, before 402 and after 400", async () => {
    const account = await bed.openAccount({ credits: 60 });
    const video = { model: "sd2-fast", inputs: { prompt: "a fox", duration: "4s" } };
    const createTask = () => bed.post(account, "jobs/createTask", video);
    expect(await bed.create(account, fromUrl)).toMatchObject({ status: "validating" });
    expect(await createTask()).toMatchObject({ http: 200 });
    expect(await bed.create(account, fromUrl)).toMatchObject({ status: "validating" });
    expect(await bed.create(account, fromUrl)).toMatchObject({
      http: 429,
      code: "concurrency_limit",
    });
    expect(await createTask()).toMatchObject({ code: "concurrency_limit" });
    expect(await bed.create(account, { ...fromUrl, targetResolution: "4k" })).toMatchObject({
      code: "concurrency_limit", // 35 credits are not there either
    });
    expect(await bed.create(account, { ...fromUrl, targetResolution: "8k" })).toMatchObject({
      code: "invalid_parameters",
    });
  });
});
