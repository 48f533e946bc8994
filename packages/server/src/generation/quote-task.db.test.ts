import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { insertAsset } from "../../test/harness/insert-asset.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import {
  type Image,
  publishedCells,
  publishedPrice,
  type Video,
} from "../../test/published-prices.ts";
import { buildApi } from "../api/build-api.ts";
import { finishTask } from "../tasks/finish-task.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function post(path: string, key: string, body: object) {
  const headers = { authorization: `Bearer ${key}` };
  return api.inject({ method: "POST", url: `/api/v1/jobs/${path}`, headers, payload: body });
}

interface QuotedTask {
  body: { model: string; inputs: Record<string, unknown> };
  published: Video | Image;
}

const clipMs = 4_200;
const upscales = [null, "1080p", "2k", "4k"] as const;

const assetIdsOf = {
  A: ["asset-20260101-a0", "asset-20260101-a1"],
  B: ["asset-20260101-b0", "asset-20260101-b1"],
};

function videoTask(video: Video, schedule: "A" | "B"): QuotedTask {
  const { model, outputResolution, upscaleResolution, seconds } = video;
  const base = { prompt: "a fox", outputResolution, duration: `${seconds}` };
  const reference = { videoInputMode: "reference", resolution: "1280x720" };
  const assetIds = assetIdsOf[schedule].slice(0, video.inputVideoMs.length);
  const videoUrls = assetIds.map((id) => `asset://${id}`);
  return {
    published: video,
    body: {
      model,
      inputs: {
        ...base,
        ...(upscaleResolution === null ? {} : { upscaleResolution }),
        ...(videoUrls.length === 0 ? {} : { ...reference, videoUrls }),
      },
    },
  };
}

const videos: Video[] = (["sd2", "sd2-fast", "happyhorse"] as const).flatMap((model) =>
  (model === "sd2-fast" ? (["720p"] as const) : (["720p", "1080p"] as const)).flatMap(
    (outputResolution) =>
      upscales
        .filter((upscaleResolution) => upscaleResolution !== outputResolution)
        .flatMap((upscaleResolution) =>
          (model === "happyhorse" ? [[]] : [[], [clipMs], [clipMs, clipMs]]).map(
            (inputVideoMs) => ({
              model,
              outputResolution,
              upscaleResolution,
              seconds: 7,
              inputVideoMs,
            }),
          ),
        ),
  ),
);

const images = (["1k", "2k", "4k"] as const).flatMap((resolution): QuotedTask[] => [
  ...(["medium", "high"] as const).map((quality) => ({
    published: { model: "image-pro-2" as const, resolution, quality },
    body: { model: "image-pro-2", inputs: { prompt: "a fox", resolution, quality } },
  })),
  {
    published: { model: "image-plus-2", resolution, quality: null },
    body: { model: "image-plus-2", inputs: { prompt: "a fox", resolution } },
  },
]);

const media = {
  key: "0".repeat(32),
  contentType: "video/mp4",
  sizeBytes: 1,
  sha256: "",
  width: 1,
  height: 1,
  durationMs: 1,
};

test.each(["A", "B"] as const)(
  "under schedule %s the quote, the hold and the charge of every row are the published price",
  async (schedule) => {
    const account = await bed.openAccount({ credits: 1_000_000, schedule, openTasksMax: 1 });
    for (const upstreamAssetId of assetIdsOf[schedule]) {
      const asset = { accountId: account.id, upstreamAssetId, durationMs: clipMs };
      await insertAsset(bed.database, asset);
    }
    const visited = new Set<string>();
    const quotedTasks = [...videos.map((video) => videoTask(video, schedule)), ...images];
    for (const { body, published } of quotedTasks) {
      const { credits: price, cell } = publishedPrice(published, schedule);
      if (cell !== null) visited.add(cell);
      const what = JSON.stringify(body);

      const quote = await post("quote", account.key, body);
      expect(quote.json().credits, what).toBe(price);
      const items: { credits: number }[] = quote.json().items;
      expect(
        items.reduce((sum, { credits }) => sum + credits, 0),
        what,
      ).toBe(price);

      const created = await post("createTask", account.key, { ...body, maxCredits: price });
      const { taskId } = created.json();
      expect(created.statusCode, what).toBe(200);
      await finishTask(bed.ctx, taskId, { kind: "completed", output: [media] });
      const posted = await bed.database.sql(
        "select kind, amount::int from transfers where cause_id = $1 order by kind",
        [taskId],
      );
      expect(posted, what).toEqual([
        { kind: "capture", amount: price },
        { kind: "hold", amount: price },
      ]);
    }
    const ofSchedule = publishedCells.filter((cell) => new RegExp(`, ${schedule}\\b`).test(cell));
    expect([...visited].sort()).toEqual(ofSchedule.sort());
    await checkMoney(bed.database);
  },
);

test("a quote holds nothing and writes nothing, and needs neither credits nor room for a task", async () => {
  const account = await bed.openAccount({ credits: 0, openTasksMax: 0 });
  const counts = `select (select count(*) from tasks) as tasks, (select count(*) from transfers) as transfers,
    (select count(*) from entries) as entries, (select count(*) from idempotency_keys) as keys`;
  const before = await bed.database.sql(counts);
  const body = { model: "sd2", inputs: { prompt: "a fox" }, maxCredits: 1 };
  const quote = await post("quote", account.key, body);
  expect([quote.statusCode, quote.json()]).toEqual([
    200,
    {
      credits: 30,
      items: [
        {
          item: "output",
          description: "sd2 720p",
          unit: "second",
          quantity: 5,
          creditsPerUnit: 6,
          credits: 30,
        },
      ],
    },
  ]);
  expect(await bed.database.sql(counts)).toEqual(before);
});

test("an asset of another account is refused like one that does not exist, by quote and createTask alike", async () => {
  const owner = await bed.openAccount();
  const stranger = await bed.openAccount();
  await insertAsset(bed.database, { accountId: owner.id, upstreamAssetId: "asset-20260102-mine" });
  const bodyOf = (asset: string) => ({
    model: "sd2",
    inputs: {
      videoInputMode: "reference",
      resolution: "720x720",
      videoUrls: [`asset://${asset}`],
    },
  });
  const mine = bodyOf("asset-20260102-mine");
  expect((await post("quote", owner.key, mine)).statusCode).toBe(200);
  for (const path of ["quote", "createTask"]) {
    const foreign = await post(path, stranger.key, mine);
    const missing = await post(path, stranger.key, bodyOf("asset-20260102-none"));
    for (const answer of [foreign, missing]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        param: "inputs.videoUrls[0]",
        message: "inputs.videoUrls[0]: there is no such asset",
      });
    }
  }
});
