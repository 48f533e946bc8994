import assert from "node:assert";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { submitJob } from "../src/generation/submit/submit-job.ts";
import type { AssetId } from "../src/ids.ts";
import { joinVideo } from "../src/upscale/segments/join-video.ts";
import { validateSource } from "../src/upscale/validate-source.ts";
import { makeFile } from "./boundaries/make-file.ts";
import { finishWith } from "./harness/finish-with.ts";
import { type LibraryBed, openLibraryBed, paint } from "./harness/library-bed.ts";
import { readTaskId } from "./harness/named-ids.ts";
import { workAllSegments } from "./harness/work-all-segments.ts";

type Account = Awaited<ReturnType<LibraryBed["bed"]["openAccount"]>>;

const cleanUp = new AsyncDisposableStack();
const addresses = {
  "the address that dev prints": { PUBLIC_URL: "http://localhost:8000" },
  "an intranet": { PUBLIC_URL: "http://media.intranet:8000", ALLOW_LOOPBACK: "false" },
  production: { PUBLIC_URL: "https://media.example.com", ALLOW_LOOPBACK: "false" },
} as const;
const beds = new Map<string, LibraryBed>();
let library: LibraryBed;
let video: Buffer;
let clip: Buffer;
let image: Buffer;
beforeAll(async () => {
  const { path } = cleanUp.use(await makeScratch("outputs"));
  for (const [name, settings] of Object.entries(addresses)) {
    const more = { ...quickUpscale, SEGMENT_INTERVAL_MS: "50" };
    beds.set(name, cleanUp.use(await openLibraryBed(path, { ...more, ...settings })));
  }
  library = bedOf("the address that dev prints");
  video = await makeFile({ format: "mp4", width: 320, height: 180, durationMs: 6_500 });
  clip = await makeFile({ format: "webm", width: 64, height: 36, durationMs: 1_000 });
  image = await paint(640, 480);
});
afterAll(() => cleanUp.disposeAsync());

function bedOf(name: string): LibraryBed {
  const bed = beds.get(name);
  assert(bed !== undefined);
  return bed;
}

const videoOf = ({ bed }: LibraryBed, account: Account, change: object = {}) =>
  finishWith(bed, account, {
    bytes: video,
    extension: "mp4",
    contentType: "video/mp4",
    width: 320,
    height: 180,
    durationMs: 6_500,
    ...change,
  });
const imageOf = ({ bed }: LibraryBed, account: Account) =>
  finishWith(bed, account, {
    bytes: image,
    extension: "png",
    contentType: "image/png",
    width: 640,
    height: 480,
    durationMs: null,
  });

/** Short enough to be upscaled. */
const clipOf = (here: LibraryBed, account: Account) =>
  videoOf(here, account, {
    bytes: clip,
    extension: "webm",
    contentType: "video/webm",
    width: 64,
    height: 36,
    durationMs: 1_000,
  });

/** Every way to name the same output in a list of URLs. */
const namesOf = ({ taskId, link }: { taskId: string; link: string }) => [
  link,
  `task://${taskId}/0`,
  `task://${taskId}`,
];
const edit = (url: string) => ({ model: "image-plus-2", inputs: { prompt: "night", urls: [url] } });

describe.each(Object.keys(addresses))("on %s", (name) => {
  test("an image is an input of every model that takes images", async () => {
    const here = bedOf(name);
    const account = await here.bed.openAccount({ openTasksMax: 20 });
    for (const url of namesOf(await imageOf(here, account)))
      for (const body of [
        edit(url),
        { model: "image-pro-2", inputs: { prompt: "night", urls: [url] } },
        { model: "happyhorse", inputs: { urls: [url] } },
        { model: "sd2", inputs: { urls: [url] } },
        {
          model: "sd2-fast",
          inputs: { videoInputMode: "reference", resolution: "720x720", urls: [url] },
        },
      ]) {
        const { status, body: price } = await here.call(account, "POST", "jobs/quote", body);
        expect([status, price["message"]]).toEqual([200, undefined]);
        expect((await here.call(account, "POST", "jobs/createTask", body)).status).toBe(200);
      }
  });

  test("a video is the source of an upscale, whose whole price is held at once", async () => {
    const here = bedOf(name);
    const account = await here.bed.openAccount({ openTasksMax: 20 });
    const { taskId, link } = await videoOf(here, account);
    for (const source of [
      { type: "url", url: link },
      { type: "task", taskId, index: 0 },
      { type: "task", taskId },
    ]) {
      const before = await creditsOf(here, account);
      const body = { source, targetResolution: "1080p" };
      const made = await here.call(account, "POST", "upscale/create", body);
      expect(made).toMatchObject({ status: 200, body: { status: "validating" } });
      expect(before - (await creditsOf(here, account))).toBe(7 * 3);
    }
  });

  test("it is saved to the library in one call, by whichever name as the same asset", async () => {
    const here = bedOf(name);
    const account = await here.bed.openAccount();
    const names = namesOf(await videoOf(here, account));
    const assetIds = new Set<AssetId>();
    for (const url of names) {
      const body = { url, type: "VIDEO", name: "heron" };
      const saved = await here.call(account, "POST", "assets/upload", body);
      expect(saved).toMatchObject({ status: 200, body: { url: names[0] } });
      assetIds.add(saved.body["assetId"] as AssetId);
    }
    const [assetId] = assetIds;
    assert(assetId !== undefined && assetIds.size === 1);
    await here.advance(assetId);
    const { body: asset } = await here.call(account, "GET", `assets/status?assetId=${assetId}`);
    expect(asset).toMatchObject({ failReason: null, width: 320, height: 180, duration: 6.5 });
  });
});

async function creditsOf({ call }: LibraryBed, account: Account): Promise<number> {
  return Number((await call(account, "GET", "account/credits")).body["availableCredits"]);
}

describe("reported like one that does not exist:", () => {
  const missing = "00000000-0000-7000-8000-000000000000";
  const wrong: Record<string, (account: Account) => Promise<{ taskId: string; link: string }>> = {
    "that of another account": async () =>
      videoOf(library, await library.bed.openAccount({ credits: 1_000 })),
    "that of no task": async () => {
      const { publicUrl } = library.bed.ctx.config.links;
      return { taskId: missing, link: `${publicUrl}/media/${"0".repeat(40)}.mp4` };
    },
    "one that was deleted": async (account) => {
      const output = await videoOf(library, account);
      const path = `jobs/media?taskId=${output.taskId}`;
      expect((await library.call(account, "DELETE", path)).status).toBe(200);
      return output;
    },
    "one that has expired": async (account) => {
      const output = await videoOf(library, account);
      const expire = "update media_objects set expires_at = now() where key = $1";
      await library.bed.database.sql(expire, [output.key]);
      return output;
    },
    "that of a task that runs": async (account) => {
      const body = { model: "sd2", inputs: { prompt: "x" } };
      const made = await library.call(account, "POST", "jobs/createTask", body);
      return { taskId: String(made.body["taskId"]), link: `task://${made.body["taskId"]}` };
    },
  };

  test.each(Object.keys(wrong))("%s", async (name) => {
    const account = await library.bed.openAccount();
    const { taskId, link } = (await wrong[name]?.(account)) ?? { taskId: "", link: "" };
    const before = await creditsOf(library, account);
    for (const url of [link, `task://${taskId}/0`, `task://${taskId}`]) {
      for (const path of ["jobs/quote", "jobs/createTask"])
        expect(await library.call(account, "POST", path, edit(url))).toMatchObject({
          status: 400,
          body: {
            code: "invalid_parameters",
            param: "inputs.urls[0]",
            message: "inputs.urls[0]: there is no such output",
          },
        });
      expect(
        await library.call(account, "POST", "assets/upload", { url, type: "VIDEO" }),
      ).toMatchObject({ status: 400, body: { message: "url: there is no such output" } });
    }
    for (const [param, source] of [
      ["source.url", { type: "url", url: link }],
      ["source.taskId", { type: "task", taskId }],
    ] as const) {
      const body = { source, targetResolution: "1080p" };
      expect(await library.call(account, "POST", "upscale/create", body)).toMatchObject({
        status: 400,
        body: { code: "INVALID_URL", param, message: `${param}: there is no such output` },
      });
    }
    expect(await creditsOf(library, account)).toBe(before);
  });

  test("an index that the task does not have, and an id that is none", async () => {
    const account = await library.bed.openAccount();
    const { taskId } = await videoOf(library, account);
    for (const source of [
      { type: "task", taskId, index: 1 },
      { type: "task", taskId: "1" },
    ])
      expect(
        await library.call(account, "POST", "upscale/create", { source, targetResolution: "4k" }),
      ).toMatchObject({ status: 400, body: { code: "INVALID_URL", param: "source.taskId" } });
    expect(
      await library.call(account, "POST", "jobs/quote", edit(`task://${taskId}/1`)),
    ).toMatchObject({ status: 400, body: { message: "inputs.urls[0]: there is no such output" } });
  });
});

describe("what is known of an output is checked at create", () => {
  test.each([
    ["SOURCE_RESOLUTION_TOO_HIGH", { width: 1920, height: 1080 }],
    ["DURATION_EXCEEDS_LIMIT", { durationMs: 600_001 }],
    ["UNSUPPORTED_MEDIA_TYPE", { contentType: "image/png", durationMs: null }],
  ])("%s", async (code, change) => {
    const account = await library.bed.openAccount();
    const { taskId } = await videoOf(library, account, change);
    const body = { source: { type: "task", taskId }, targetResolution: "1080p" };
    const answer = await library.call(account, "POST", "upscale/create", body);
    expect(answer).toMatchObject({ status: 400, body: { code, param: "source.taskId" } });
  });

  test.each([
    ["counted: 120 a second make it twice as long", { frames: 1_200 }, 20],
    ["not counted", {}, 10],
  ])(
    "the quote of an upscale says whether the frames are known; %s",
    async (_, change, seconds) => {
      const account = await library.bed.openAccount();
      const { taskId } = await videoOf(library, account, { durationMs: 10_000, ...change });
      const body = { source: { type: "task", taskId }, targetResolution: "1080p" };
      const { body: quote } = await library.call(account, "POST", "upscale/quote", body);
      expect(quote).toMatchObject({ seconds, isMeasured: "frames" in change });
    },
  );

  test("a video is no image, and an image no video", async () => {
    const account = await library.bed.openAccount();
    const [made, painted] = [await videoOf(library, account), await imageOf(library, account)];
    expect(await library.call(account, "POST", "jobs/quote", edit(made.link))).toMatchObject({
      body: { message: "inputs.urls[0]: must be of type IMAGE, but is VIDEO" },
    });
    const saving = { url: painted.link, type: "VIDEO" };
    expect(await library.call(account, "POST", "assets/upload", saving)).toMatchObject({
      status: 400,
      body: { param: "type", message: "type: must be IMAGE, as the output is" },
    });
  });

  test("videoUrls stays with assets, and says how an output becomes one", async () => {
    const account = await library.bed.openAccount();
    const { taskId, link } = await videoOf(library, account);
    for (const url of [link, `task://${taskId}/0`]) {
      const reference = { videoInputMode: "reference", resolution: "720x720" };
      const body = { model: "sd2", inputs: { ...reference, videoUrls: [url] } };
      const { status, body: answer } = await library.call(account, "POST", "jobs/quote", body);
      expect([status, answer["param"]]).toEqual([400, "inputs.videoUrls[0]"]);
      expect(answer["message"]).toContain("POST /api/v1/assets/upload");
    }
  });
});

test("an upscale of an output is made, and its request names the task", async () => {
  const account = await library.bed.openAccount();
  const { taskId: from } = await clipOf(library, account);
  const source = { type: "task", taskId: from, index: 0 };
  const body = { source, targetResolution: "1080p" };
  const made = await library.call(account, "POST", "upscale/create", body);
  const taskId = readTaskId(made.body["taskId"]);
  expect(await validateSource(library.bed.ctx, taskId)).toEqual({ kind: "settled" });
  await workAllSegments(library.bed.ctx, taskId);
  expect(await joinVideo(library.bed.ctx, taskId)).toMatchObject({
    kind: "delivered",
    media: { height: 1080 },
  });
  const request = await library.call(account, "GET", `jobs/request?taskId=${taskId}`);
  expect(request.body["inputs"]).toEqual(body);
});

test("an output that is deleted before its upscale begins, or while it is made, fails it", async () => {
  const account = await library.bed.openAccount();
  const { ctx } = library.bed;
  const create = async () => {
    const { taskId: from } = await clipOf(library, account);
    const body = { source: { type: "task", taskId: from }, targetResolution: "1080p" };
    const made = await library.call(account, "POST", "upscale/create", body);
    const forget = () => library.call(account, "DELETE", `jobs/media?taskId=${from}`);
    return { taskId: readTaskId(made.body["taskId"]), forget };
  };
  const early = await create();
  await early.forget();
  expect(await validateSource(ctx, early.taskId)).toMatchObject({
    kind: "failed",
    code: "SOURCE_GONE",
    message: "The output no longer exists: it was deleted, or it has expired.",
  });
  const late = await create();
  await validateSource(ctx, late.taskId);
  await workAllSegments(ctx, late.taskId);
  await late.forget();
  expect(await joinVideo(ctx, late.taskId)).toMatchObject({ kind: "failed", code: "SOURCE_GONE" });
});

test("an output that expires is kept for the task that uses it", async () => {
  const account = await library.bed.openAccount();
  const { taskId: from, key } = await clipOf(library, account);
  const soon = "update media_objects set expires_at = now() + interval '1 minute' where key = $1";
  await library.bed.database.sql(soon, [key]);
  const body = { source: { type: "task", taskId: from }, targetResolution: "1080p" };
  const made = await library.call(account, "POST", "upscale/create", body);
  const taskId = readTaskId(made.body["taskId"]);
  await validateSource(library.bed.ctx, taskId);
  const kept = `select m.expires_at >= o.deadline_at - interval '1 second' as is_kept
    from media_objects m, open_tasks o where m.key = $1 and o.task_id = $2`;
  expect(await library.bed.database.sql(kept, [key, taskId])).toEqual([{ is_kept: true }]);
});

test("an output that is deleted before it is submitted fails the task by name", async () => {
  const ark = { name: "ark", kind: "ark", baseUrl: "http://127.0.0.1:9", apiKey: "none" };
  await using scratch = await makeScratch("gone");
  await using here = await openLibraryBed(scratch.path, { VENDORS: JSON.stringify([ark]) });
  const account = await here.bed.openAccount();
  const { taskId: from, link } = await imageOf(here, account);
  const body = { model: "sd2", inputs: { urls: [link] } };
  const made = await here.call(account, "POST", "jobs/createTask", body);
  await here.call(account, "DELETE", `jobs/media?taskId=${from}`);
  expect(await submitJob(here.bed.ctx, readTaskId(made.body["taskId"]))).toEqual({
    kind: "failed",
    code: "input_unusable",
    message:
      "inputs.urls[0]: the output is no longer available. It was deleted, or it has expired.",
  });
});

test("what was saved to the library stays when the media of the task is deleted, and the other way round", async () => {
  const account = await library.bed.openAccount();
  const save = async (url: string) => {
    const body = { url, type: "VIDEO" };
    const { body: asset } = await library.call(account, "POST", "assets/upload", body);
    await library.advance(asset["assetId"] as AssetId);
    return asset["assetId"] as AssetId;
  };
  const [first, second] = [await videoOf(library, account), await videoOf(library, account)];
  const [kept, dropped] = [await save(first.link), await save(second.link)];
  await library.call(account, "DELETE", `jobs/media?taskId=${first.taskId}`);
  const { body } = await library.call(account, "GET", `assets/status?assetId=${kept}`);
  expect((await library.open(String(body["previewUrl"]))).bytes).toEqual(video);
  expect((await library.call(account, "DELETE", `assets?assetId=${dropped}`)).status).toBe(200);
  expect((await library.open(second.link)).bytes).toEqual(video);
});

test("an output that is deleted before it is saved fails the asset with that reason", async () => {
  const account = await library.bed.openAccount();
  const { taskId, link } = await videoOf(library, account);
  const body = { url: link, type: "VIDEO" };
  const { body: asset } = await library.call(account, "POST", "assets/upload", body);
  await library.call(account, "DELETE", `jobs/media?taskId=${taskId}`);
  const assetId = asset["assetId"] as AssetId;
  await library.advance(assetId);
  expect(
    (await library.call(account, "GET", `assets/status?assetId=${assetId}`)).body,
  ).toMatchObject({
    status: "FAILED",
    failReason: "The output no longer exists: it was deleted, or it has expired.",
  });
});

test("the outputs of an earlier release are fetched by their links as before", async () => {
  const here = bedOf("production");
  const account = await here.bed.openAccount();
  const { key, link } = await imageOf(here, account);
  await here.bed.database.sql("update media_objects set task_id = null where key = $1", [key]);
  const { taskId } = (await here.call(account, "POST", "jobs/createTask", edit(link))).body;
  const [row] = await here.bed.database.sql("select request from tasks where id = $1", [taskId]);
  expect(row).toMatchObject({ request: { images: [{ url: link }] } });
});

test("the storageUrl of an asset is a URL of an upscale, too", async () => {
  const account = await library.bed.openAccount();
  const { assetId, storageUrl } = await library.upload(account, video, "VIDEO");
  await library.advance(assetId);
  const body = { source: { type: "url", url: storageUrl }, targetResolution: "1080p" };
  expect(await library.call(account, "POST", "upscale/create", body)).toMatchObject({
    status: 200,
  });
});

test.each(["localhost", "127.0.0.1", "[::1]"])(
  "a source may be at http://%s in development",
  async (host) => {
    const account = await library.bed.openAccount();
    const source = { type: "url", url: `http://${host}:9000/video.mp4` };
    const body = { source, targetResolution: "1080p" };
    expect(await library.call(account, "POST", "upscale/create", body)).toMatchObject({
      status: 200,
    });
  },
);
