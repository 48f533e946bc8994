import assert from "node:assert";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { pattern, renderFile } from "@zoetrope/testkit/make-media.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { serveFiles } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { quickJobs, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { expect } from "vitest";
import { buildApi } from "../../src/api/build-api.ts";
import type { TaskId } from "../../src/ids.ts";
import { fetchObject } from "../../src/media/storage/fetch-object.ts";
import type { OpenContext } from "../../src/open-context.ts";
import { createUpscale } from "../../src/upscale/create-upscale.ts";
import { findUpscale } from "../../src/upscale/queries.ts";
import { joinVideo } from "../../src/upscale/segments/join-video.ts";
import { listSegments } from "../../src/upscale/segments/queries.ts";
import { workSegments } from "../../src/upscale/segments/work-segments.ts";
import { validateSource } from "../../src/upscale/validate-source.ts";
import { openTestBed, type TestBed } from "./test-context.ts";

export type VendorUpscaleBed = Awaited<ReturnType<typeof openVendorUpscaleBed>>;

type Segment = Awaited<ReturnType<typeof listSegments>>[number] & { vendorJobId: string | null };

/** The limits of polls: a busy machine takes a minute for a job of a second. */
export const waitLimits = { timeout: 150_000, interval: 50 };

export const isDone = ({ objectKey }: Segment) => objectKey !== null;
export const isGivenUp = ({ failure }: Segment) => failure !== null;
export const isAccepted = ({ vendorJobId }: Segment) => vendorJobId !== null;

/** A test bed whose upscales are a vendor's, played by the sandbox, which fetches the sources from the api. */
export async function openVendorUpscaleBed(settings: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack();
  const { path: dir } = opened.use(await makeScratch("vendor-upscale"));
  const videos = opened.use(await serveFiles({ dir }));
  const video = await renderFile(
    join(dir, "video.mp4"),
    pattern({ size: "320x180", rate: 24, seconds: 2.5 }),
  );
  const brief = await renderFile(
    join(dir, "brief.mp4"),
    pattern({ size: "320x180", rate: 5, seconds: 1 }),
  );
  const sandbox = opened.use(await startSandbox(quickJobs));
  const upscaler = { kind: "fal", baseUrl: `${sandbox.url}/fal`, apiKey: "sandbox-fal-key" };
  const port = await freePort();
  const bed = opened.use(
    await openTestBed({
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      UPSCALER: JSON.stringify(upscaler),
      ...quickUpscale,
      SEGMENT_INTERVAL_MS: "50",
      ...settings,
    }),
  );
  const api = await buildApi(bed.ctx);
  opened.defer(() => api.close());
  await api.listen({ host: "127.0.0.1", port });

  async function start(path = brief, account?: Awaited<ReturnType<TestBed["openAccount"]>>) {
    const caller = account ?? (await bed.openAccount());
    const source = { type: "url", url: videos.urlOf(path) } as const;
    const body = { source, targetResolution: "1080p" } as const;
    const { taskId } = await createUpscale(bed.ctx, caller, body, null);
    expect(await validateSource(bed.ctx, taskId)).toEqual({ kind: "settled" });
    const upscale = await findUpscale(bed.ctx.db, taskId);
    assert(upscale !== undefined);
    /** The jobs that the vendor was asked for, from its own journal. */
    const jobs = () => sandbox.creates(upscale.sourceKey);
    return { account: caller, taskId, sourceKey: upscale.sourceKey, jobs };
  }

  async function readSegment(taskId: TaskId): Promise<Segment> {
    const [segment, ...others] = await listSegments(bed.ctx.db, taskId);
    assert(segment !== undefined && others.length === 0, "the video is one segment");
    const [row] = await bed.database.sql<{ id: string | null }>(
      "select vendor_job_id as id from upscale_segments where task_id = $1",
      [taskId],
    );
    return { ...segment, vendorJobId: row?.id ?? null };
  }

  /** Works until the segment is like this. */
  async function workUntil(
    taskId: TaskId,
    isReached: (segment: Segment) => boolean,
    ctx: OpenContext = bed.ctx,
  ): Promise<Segment> {
    const stop = new AbortController();
    const working = workSegments(ctx, stop.signal);
    try {
      const reached = async () => isReached(await readSegment(taskId));
      await expect.poll(reached, waitLimits).toBe(true);
    } finally {
      stop.abort();
      await working;
    }
    return readSegment(taskId);
  }

  async function joined(taskId: TaskId, ctx: OpenContext = bed.ctx) {
    const result = await joinVideo(ctx, taskId);
    assert(result.kind === "delivered", JSON.stringify(result));
    const path = join(dir, `${randomUUID()}.mp4`);
    await fetchObject(ctx.storage, result.media.key, path);
    return { media: result.media, path };
  }

  const everything = opened.move();
  return {
    ...bed,
    dir,
    video,
    brief,
    upscaler,
    start,
    readSegment,
    workUntil,
    joined,
    vendor: controlSandbox(sandbox.control),
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
