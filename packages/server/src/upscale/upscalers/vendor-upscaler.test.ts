import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { taskNamed } from "../../../test/harness/named-ids.ts";
import type { VideoPlan } from "../../db/tables/upscale.ts";
import { createSafeFetch } from "../../media/fetch/safe-fetch.ts";
import { createMetrics } from "../../metrics/create-metrics.ts";
import { createFal, falSchema } from "../../vendors/fal/fal.ts";
import type { SegmentRequest, SegmentRun, VendorUpscaler } from "./upscaler.ts";
import { createVendorUpscaler } from "./vendor-upscaler.ts";

const publicUrl = "https://api.example.com";
const signer = {
  publicUrl,
  secret: "0123456789abcdef0123456789abcdef",
};
const sourceKey = "0123456789abcdef.mp4";
const video: VideoPlan = {
  by: "vendor",
  contentType: "video/mp4",
  target: "2k",
  source: { width: 320, height: 180, durationMs: 2_000 },
  width: 2560,
  height: 1440,
  tick: { over: 1, under: 1_000 },
  firstAt: 500,
  endsAt: 2_500,
  startsAtSeconds: 0,
  isInterlaced: false,
  audioCodecs: [],
};
const frames = Array.from({ length: 100 }, (_, at) => ({ at: 500 + 20 * at, isKey: at === 0 }));

const safeFetch = createSafeFetch({ allowLoopback: true });
const logged: string[] = [];
const { metrics, render, close } = createMetrics();
let stub: Receiver;
let upscaler: VendorUpscaler;
beforeAll(async () => {
  stub = await startReceiver();
  const settings = { kind: "fal", baseUrl: stub.url, apiKey: "key" };
  const fal = createFal(falSchema.parse(settings));
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  upscaler = createVendorUpscaler({ fal, signer, safeFetch, log, metrics });
});
afterAll(async () => {
  await stub[Symbol.asyncDispose]();
  await safeFetch.close();
  await close();
});

/** Returns a run of a segment with this state of its row, and what was written to it. */
function runOf({ isFree = true, isWanted = true } = {}) {
  const noted: (string | null)[] = [];
  const run: SegmentRun = {
    dir: "/nowhere",
    signal: AbortSignal.timeout(20_000),
    onFrames() {},
    claimSubmit: async () => isFree,
    async recordSubmit(vendorJobId) {
      noted.push(vendorJobId);
      return isWanted;
    },
  };
  return { run, noted };
}

function requestOf(change: Partial<SegmentRequest> = {}): SegmentRequest {
  const [segment] = upscaler.cut(video, frames);
  if (segment === undefined) throw new Error("no segment");
  return {
    taskId: taskNamed("t-1"),
    video,
    segment,
    sourceKey,
    vendorJobId: null,
    submittedMsAgo: null,
    ...change,
  };
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): void {
  stub.received.length = 0;
  stub.answer = () => ({ status, body, headers });
}

test("a video is one segment, and is asked for by our own link, its target and its rate", async () => {
  expect(upscaler.cut(video, frames)).toEqual([{ from: 500, to: 2_500, frames: 100 }]);
  answer(200, { request_id: "r-1" });
  const { run, noted } = runOf();
  expect(await upscaler.work(requestOf(), run)).toMatchObject({ kind: "waiting", againMs: 1_000 });
  expect(noted).toEqual(["r-1"]);
  expect(stub.received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      video_url: `${publicUrl}/media/${sourceKey}`,
      target_resolution: "2k",
      target_fps: "60fps",
    },
  ]);
});

test("who does not get the right to ask does not ask", async () => {
  answer(200, { request_id: "r-1" });
  const { run, noted } = runOf({ isFree: false });
  expect(await upscaler.work(requestOf(), run)).toMatchObject({ kind: "waiting" });
  expect({ noted, asked: stub.received }).toEqual({ noted: [], asked: [] });
});

test("a job that nobody wants any more when it is accepted is cancelled", async () => {
  answer(200, { request_id: "r-1" });
  await upscaler.work(requestOf(), runOf({ isWanted: false }).run);
  expect(stub.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /fal-ai/bytedance-upscaler/upscale/video",
    "PUT /fal-ai/bytedance-upscaler/requests/r-1/cancel",
  ]);
});

test.each([
  [{}, 10_000],
  [{ "retry-after": "20" }, 20_000],
  [{ "retry-after": "0" }, 1_000],
  [{ "retry-after": "86400" }, 60_000],
])("a vendor that is too busy (%j) is asked again after %i ms", async (headers, againMs) => {
  answer(429, { detail: "slow down" }, headers);
  const { run, noted } = runOf();
  expect(await upscaler.work(requestOf(), run)).toEqual({
    kind: "waiting",
    againMs,
    framesDone: 0,
  });
  expect(noted).toEqual([null]);
});

test.each([
  [0, 1_000],
  [20_000, 5_000],
  [3_600_000, 15_000],
])("a job that was submitted %i ms ago is polled again after %i ms", async (submittedMsAgo, ms) => {
  for (const [status, state] of [
    [202, "IN_QUEUE"],
    [202, "IN_PROGRESS"],
    [503, "IN_PROGRESS"],
  ] as const) {
    answer(status, { status: state, request_id: "r-1" });
    const request = requestOf({ vendorJobId: "r-1", submittedMsAgo });
    expect(await upscaler.work(request, runOf().run)).toMatchObject({
      kind: "waiting",
      againMs: ms,
    });
  }
});

test("our link to the source is not in what a vendor that repeats it leaves behind", async () => {
  logged.length = 0;
  const msg = `could not read ${publicUrl}/media/${sourceKey} today`;
  const body = { detail: [{ loc: ["body"], msg, type: "file_download_error" }] };
  answer(422, body);
  const refused = await upscaler.work(requestOf(), runOf().run);
  stub.answer = ({ path }) =>
    path.endsWith("/status")
      ? { status: 200, body: { status: "COMPLETED", request_id: "r-1", error: "x" } }
      : { status: 422, body };
  const failed = await upscaler.work(
    requestOf({ vendorJobId: "r-1", submittedMsAgo: 1 }),
    runOf().run,
  );
  for (const result of [refused, failed])
    expect(result).toMatchObject({ kind: "failed", code: "input_unreachable" });
  const left = JSON.stringify([refused, failed, logged]);
  expect(logged).toHaveLength(2);
  expect(left).toContain("today");
  expect(left).not.toContain(sourceKey);
});

test("submits and polls are counted as those of the vendor account `upscaler`", async () => {
  const text = await render();
  for (const name of ["zoetrope_vendor_submits_total", "zoetrope_vendor_polls_total"])
    expect(text).toMatch(
      new RegExp(`^${name}\\{vendor_account="upscaler",outcome="\\w+"\\} [1-9]`, "m"),
    );
  expect(text).not.toContain('outcome="other"');
});
