import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { type FileServer, serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { workAllSegments } from "../../test/harness/work-all-segments.ts";
import { readBalance } from "../credits/ledger.ts";
import { readAigc } from "../labels/read-aigc.ts";
import { fetchObject, measureFile } from "../media/storage/fetch-object.ts";
import { completeTask } from "../tasks/complete-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { createUpscale } from "./create-upscale.ts";
import { forgetUpscale } from "./forget-upscale.ts";
import { queryUpscale } from "./query-upscale.ts";
import { joinVideo } from "./segments/join-video.ts";
import { listSegments } from "./segments/queries.ts";
import { validateSource } from "./validate-source.ts";

let scratch: Scratch;
let videos: FileServer;
let bed: TestBed;
beforeAll(async () => {
  scratch = await makeScratch("upscale");
  videos = await serveFiles({ dir: scratch.path });
  bed = await openTestBed({ UPSCALE_SEGMENT_MEGAPIXELS: "40", ...quickUpscale });
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
  await videos[Symbol.asyncDispose]();
  await scratch.remove();
});

async function upscale(path: string, targetResolution: "1080p" | "2k" | "4k" = "1080p") {
  const account = await bed.openAccount();
  const source = { type: "url", url: videos.urlOf(path) } as const;
  const { taskId } = await createUpscale(bed.ctx, account, { source, targetResolution }, null);
  const validation = await validateSource(bed.ctx, taskId);
  return { account, taskId, validation };
}

test("a video is upscaled in segments, keeps its frames and audio, and is charged by its seconds", async () => {
  const path = await renderFile(
    join(scratch.path, "six.mp4"),
    pattern({ size: "320x180", rate: 10, seconds: 6.5 }),
  );
  const { account, taskId, validation } = await upscale(path);
  expect(validation).toEqual({ kind: "settled" });
  expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({
    status: "processing",
    progress: 0,
    creditsConsumed: null,
    result: null,
  });
  expect(await listSegments(bed.ctx.db, taskId)).toHaveLength(3);
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  await completeTask(bed.ctx, taskId, joined.media);
  await forgetUpscale(bed.ctx, taskId);
  expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({
    status: "completed",
    progress: 100,
    creditsConsumed: 7 * 3,
    result: {
      width: 1920,
      height: 1080,
      probedDurationSeconds: 6.5,
      probedSourceResolution: "320x180",
    },
    error: null,
  });
});

test("the progress of an upscale that ends while it is read does not fall", async () => {
  const path = await renderFile(
    join(scratch.path, "ends.mp4"),
    pattern({ size: "320x180", rate: 5, seconds: 2 }),
  );
  const { account, taskId } = await upscale(path);
  await workAllSegments(bed.ctx, taskId);
  expect(await queryUpscale(bed.ctx, account, taskId)).toMatchObject({ progress: 99 });
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  const { media } = joined;
  let isOver = false;
  /** Ends the task after the first read. */
  const db = bed.ctx.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isOver) {
        isOver = true;
        await completeTask(bed.ctx, taskId, media);
        await forgetUpscale(bed.ctx, taskId);
      }
      return result;
    },
  });
  const read = await queryUpscale({ ...bed.ctx, db }, account, taskId);
  expect(isOver).toBe(true);
  expect(read).toMatchObject({ status: "completed", progress: 100 });
});

test.each([
  ["that carries a label keeps its producer and names us as propagator", true],
  ["without a label, which a camera may have made, is not called generated", false],
])("an upscale of a source %s", async (_name, isLabelled) => {
  const label = { Label: "1", ContentProducer: "Vendor", ProduceID: "v-1" };
  const options = ["-movflags", "use_metadata_tags", "-metadata", `AIGC=${JSON.stringify(label)}`];
  const path = await renderFile(join(scratch.path, `labelled-${isLabelled}.mp4`), [
    ...pattern({ size: "320x180", rate: 5, seconds: 2 }),
    ...(isLabelled ? options : []),
  ]);
  const { taskId } = await upscale(path);
  await workAllSegments(bed.ctx, taskId);
  const joined = await joinVideo(bed.ctx, taskId);
  if (joined.kind !== "delivered") throw new Error(joined.kind);
  const stored = join(scratch.path, "stored.mp4");
  await fetchObject(bed.ctx.storage, joined.media.key, stored);
  const read = JSON.parse((await readAigc(stored, "video/mp4")) ?? "null");
  const propagated = { ...label, ContentPropagator: "Zoetrope", PropagateID: taskId };
  if (isLabelled) expect(read).toMatchObject(propagated);
  else expect(read).toBeNull();
  expect(joined.media.labels).toEqual(isLabelled ? ["aigc"] : []);
  const { sizeBytes, sha256 } = joined.media;
  expect(await measureFile(stored)).toEqual({ sizeBytes, sha256 });
  await fetchObject(bed.ctx.storage, joined.media.poster?.key ?? "", stored);
  expect((await readFile(stored, "latin1")).includes("TC260")).toBe(isLabelled);
});

test.each([
  { credits: 20, limit: {}, code: "INSUFFICIENT_CREDITS" },
  { credits: 100, limit: { maxCredits: 59 }, code: "price_above_max" },
])(
  "a source that costs too much once measured fails and gives back what it held: $code",
  async ({ credits, limit, code }) => {
    const path = await renderFile(
      join(scratch.path, `${code}.mp4`),
      pattern({ size: "160x90", rate: 5, seconds: 20 }),
    );
    const account = await bed.openAccount({ credits });
    const source = { type: "url", url: videos.urlOf(path) } as const;
    const body = { source, targetResolution: "1080p", ...limit } as const;
    const { taskId } = await createUpscale(bed.ctx, account, body, null);
    const validation = await validateSource(bed.ctx, taskId);
    expect(validation).toMatchObject({ kind: "failed", code });
    if (validation.kind === "failed") await finishTask(bed.ctx, taskId, validation);
    expect(await readBalance(bed.ctx.db, account.id)).toMatchObject({ availableCredits: credits });
  },
);
