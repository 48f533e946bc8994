import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";
import { type Receiver, type Reply, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { quickJobs, type Sandbox, startSandbox } from "@zoetrope/testkit/start-sandbox.ts";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import { createFal, type Fal, type FalSettings, falSchema } from "../../src/vendors/fal/fal.ts";
import { hostileBodies, hostileUsages, spoil } from "./hostile-answers.ts";
import { pollUntil } from "./vendor-bed.ts";

const cleanUp = new AsyncDisposableStack();
const apiKey = "sandbox-fal-key";
const sourceUrl = "http://127.0.0.1:9/media/video.mp4?signature=0123456789";
const request = { sourceUrl, target: "1080p", framesPerSecond: 24 } as const;
let sandbox: Sandbox;
let stub: Receiver;
let fal: Fal;
beforeAll(async () => {
  sandbox = cleanUp.use(await startSandbox(quickJobs));
  stub = cleanUp.use(await startReceiver());
  fal = open({});
});
afterAll(() => cleanUp.disposeAsync());

function open(change: Partial<FalSettings>): Fal {
  const settings = falSchema.parse({ kind: "fal", baseUrl: `${sandbox.url}/fal/`, apiKey });
  return createFal({ ...settings, ...change });
}

/** fal whose every call gets this response. */
function answering(answer: Reply): Fal {
  stub.answer = () => answer;
  return open({ baseUrl: stub.url });
}

/** fal whose requests are over, with this result. */
function completed(result: Reply, status: object = {}): Fal {
  const body = { status: "COMPLETED", request_id: "r-1", ...status };
  stub.answer = ({ path }) => (path.endsWith("/status") ? { status: 200, body } : result);
  return open({ baseUrl: stub.url });
}

const injectFault = (fault: string) => controlSandbox(sandbox.control).injectFault("fal", fault);

async function submitted(fault: string): Promise<string> {
  await injectFault(fault);
  const result = await fal.submit(request);
  assert(result.kind === "accepted", JSON.stringify(result));
  return result.jobId;
}

function expectWellFormed(outcome: object): void {
  const text = JSON.stringify(outcome);
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain("0123456789");
  for (const value of Object.values(outcome)) {
    expect(String(value).length).toBeLessThan(10_000);
    expect(String(value)).not.toMatch(/\p{Cc}/u);
  }
}

test("a submit says what is wanted, with the key and a bound on how long the result is public", async () => {
  const one = answering({ status: 200, body: { request_id: "r-1" } });
  expect(await one.submit({ ...request, target: "4k" })).toEqual({
    kind: "accepted",
    jobId: "r-1",
  });
  const sent = stub.received.at(-1);
  expect(sent).toMatchObject({
    method: "POST",
    path: "/fal-ai/bytedance-upscaler/upscale/video",
    headers: {
      authorization: `Key ${apiKey}`,
      "x-fal-object-lifecycle-preference": '{"expiration_duration_seconds":86400}',
    },
  });
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    video_url: sourceUrl,
    target_resolution: "4k",
    target_fps: "30fps",
  });
});

test.each([
  [10, "30fps"],
  [29.97, "30fps"],
  [30.02, "30fps"],
  [48, "60fps"],
  [59.94, "60fps"],
  [120, "60fps"],
])("a video of %d frames a second is asked for at %s", async (framesPerSecond, target_fps) => {
  await answering({ status: 200, body: { request_id: "r-1" } }).submit({
    ...request,
    framesPerSecond,
  });
  expect(JSON.parse(stub.received.at(-1)?.body ?? "")).toMatchObject({ target_fps });
});

test.each([
  ["refuse=content_policy_violation", { kind: "refused", code: "input_blocked" }],
  ["refuse=file_download_error", { kind: "refused", code: "input_unreachable" }],
  ["refuse=file_too_large", { kind: "refused", code: "input_unusable" }],
  ["refuse=unsupported_video_format", { kind: "refused", code: "input_unusable" }],
  ["refuse=video_duration_too_long", { kind: "refused", code: "input_unusable" }],
  ["refuse=video_duration_too_short", { kind: "refused", code: "input_unusable" }],
  ["refuse=feature_not_supported", { kind: "refused", code: "input_unusable" }],
  ["refuse=missing", { kind: "refused", code: "vendor_refused" }],
  ["refuse=one_of", { kind: "refused", code: "vendor_refused" }],
  ["refuse=bad_request", { kind: "refused", code: "vendor_refused" }],
  ["refuse=downstream_service_error", { kind: "refused", code: "vendor_failed" }],
  ["refuse=unauthorized", { kind: "refused", code: "vendor_unavailable" }],
  ["refuse=user_locked", { kind: "refused", code: "vendor_unavailable" }],
  ["refuse=not_found", { kind: "refused", code: "vendor_unavailable" }],
  ["refuse=concurrent_requests_limit", { kind: "throttled" }],
  ["refuse=client_disconnected", { kind: "unknown" }],
  ["refuse=client_cancelled", { kind: "unknown" }],
  ["refuse=request_timeout", { kind: "unknown" }],
  ["refuse=runner_scheduling_failure", { kind: "unknown" }],
  ["refuse=internal_error", { kind: "unknown" }],
  ["refuse=internal_server_error", { kind: "unknown" }],
  ["throttle", { kind: "throttled" }],
  ["lost", { kind: "unknown" }],
  ["500", { kind: "unknown" }],
  ["reset", { kind: "unknown" }],
  ["timeout", { kind: "unknown" }],
  ["garbage", { kind: "unknown" }],
])("a submit that meets %s ends as %j, asked once", async (fault, end) => {
  await injectFault(fault);
  const mark = `http://127.0.0.1:9/${fault}.mp4`;
  const result = await open({ submitMsMax: fault === "timeout" ? 1_000 : 15_000 }).submit({
    ...request,
    sourceUrl: mark,
  });
  expect(result).toMatchObject(end);
  expect(await sandbox.creates(mark)).toHaveLength(1);
  expectWellFormed(result);
});

test("a wrong key is the operator's trouble, and nobody listening is proven not accepted", async () => {
  expect(await open({ apiKey: "a-wrong-key" }).submit(request)).toMatchObject({
    kind: "refused",
    code: "vendor_unavailable",
  });
  expect(await open({ baseUrl: "http://127.0.0.1:9" }).submit(request)).toEqual({
    kind: "unavailable",
    detail: "ECONNREFUSED",
  });
});

test("a refusal that repeats the source's link gives its signature away to nobody", async () => {
  const msg = `could not read ${sourceUrl} today`;
  const body = { detail: [{ loc: ["body"], msg, type: "file_download_error" }] };
  const result = await answering({ status: 422, body }).submit(request);
  assert(result.kind === "refused");
  expect(result.detail).toContain("today");
  expectWellFormed(result);
});

test("only a 4xx in fal's own form proves that nothing was accepted", async () => {
  const bodies = [
    { detail: [{ loc: ["body"], msg: "No.", type: "value_error" }] },
    { detail: "No.", error_type: "bad_request" },
    { detail: "No." },
  ];
  for (const body of bodies) {
    expect((await answering({ status: 400, body }).submit(request)).kind).toBe("refused");
    for (const status of [301, 408, 409, 499, 500, 502, 503, 504])
      expect((await answering({ status, body }).submit(request)).kind, `${status}`).toBe("unknown");
  }
  for (const [name, body] of hostileBodies)
    for (const status of [200, 202, 400, 429, 500])
      expect((await answering({ status, body }).submit(request)).kind, `${status} ${name}`).toBe(
        "unknown",
      );
});

test("a video is waited for, and then its link gives it", async () => {
  const jobId = await submitted("badvideo");
  const seen = await pollUntil(fal, jobId, "succeeded");
  assert(seen.kind === "succeeded");
  expect((await fetch(seen.mediaUrl)).status).toBe(200);
  expect(seen.usage).toEqual({ inference_time: expect.stringMatching(/^\d+(\.\d+)?$/) });
  const hung = await submitted("hang");
  expect(await fal.poll(hung)).toEqual({ kind: "waiting" });
});

test("an odd report of what was used is unknown, and the video is taken", async () => {
  const result = { status: 200, body: { video: { url: "https://example.com/video.mp4" } } };
  for (const metrics of hostileUsages)
    expect(await completed(result, { metrics }).poll("r-1"), JSON.stringify(metrics)).toEqual({
      kind: "succeeded",
      mediaUrl: "https://example.com/video.mp4",
      usage: null,
    });
});

test.each([
  ["content_policy_violation", "input_blocked"],
  ["file_download_error", "input_unreachable"],
  ["file_too_large", "input_unusable"],
  ["unsupported_video_format", "input_unusable"],
  ["video_duration_too_long", "input_unusable"],
  ["video_duration_too_short", "input_unusable"],
  ["feature_not_supported", "input_unusable"],
  ["value_error", "vendor_refused"],
  ["SomethingNew", "vendor_refused"],
  ["bad_request", "vendor_refused"],
  ["concurrent_requests_limit", "vendor_failed"],
  ["internal_server_error", "vendor_failed"],
  ["generation_timeout", "vendor_failed"],
  ["downstream_service_error", "vendor_failed"],
  ["downstream_service_unavailable", "vendor_failed"],
  ["no_media_generated", "vendor_failed"],
  ["request_timeout", "vendor_failed"],
  ["startup_timeout", "vendor_failed"],
  ["runner_scheduling_failure", "vendor_failed"],
  ["runner_connection_timeout", "vendor_failed"],
  ["runner_disconnected", "vendor_failed"],
  ["runner_connection_refused", "vendor_failed"],
  ["runner_connection_error", "vendor_failed"],
  ["runner_incomplete_response", "vendor_failed"],
  ["runner_server_error", "vendor_failed"],
  ["client_disconnected", "vendor_failed"],
  ["client_cancelled", "vendor_failed"],
  ["internal_error", "vendor_failed"],
])("a request that fails with %s is seen as failed: %s", async (outcome, code) => {
  const seen = await pollUntil(fal, await submitted(`fail=${outcome}`), "failed");
  expect(seen).toMatchObject({
    code,
    detail: expect.stringContaining(outcome),
    usage: { inference_time: expect.any(String) },
  });
  expectWellFormed(seen);
});

test("a request is cancelled; one that is not there does no harm and is missing", async () => {
  const jobId = await submitted("hang");
  await fal.cancel(jobId);
  expect(await fal.poll(jobId)).toMatchObject({ kind: "failed", code: "vendor_failed" });
  await fal.cancel(jobId);
  await fal.cancel("none");
  expect(await fal.poll("none")).toEqual({ kind: "missing" });
  await open({ baseUrl: "http://127.0.0.1:9" }).cancel("none");
});

test("all that is asked about a request is asked by its owner, name and id, with the key", async () => {
  const one = completed({ status: 200, body: {} });
  const from = stub.received.length;
  await one.poll("r-1");
  await one.cancel("a/../b");
  expect(stub.received.slice(from)).toMatchObject([
    { method: "GET", path: "/fal-ai/bytedance-upscaler/requests/r-1/status" },
    { method: "GET", path: "/fal-ai/bytedance-upscaler/requests/r-1" },
    { method: "PUT", path: "/fal-ai/bytedance-upscaler/requests/a%2F..%2Fb/cancel" },
  ]);
  for (const { headers } of stub.received.slice(from))
    expect(headers["authorization"]).toBe(`Key ${apiKey}`);
});

const words = { detail: "Bad gateway" };
test.each([
  [{ status: 200, body: { video: {} } }, {}, { kind: "failed", code: "output_unusable" }],
  [{ status: 200, body: { video: { url: "file:///x" } } }, {}, { kind: "failed" }],
  [{ status: 404, body: { detail: "gone" } }, {}, { kind: "missing" }],
  [{ status: 401, body: words }, {}, { kind: "unavailable" }],
  [{ status: 403, body: words }, { error: "x" }, { kind: "unavailable" }],
  [{ status: 429, body: words }, {}, { kind: "unavailable" }],
  [{ status: 400, body: { detail: "Request is still in progress" } }, {}, { kind: "unavailable" }],
  [{ status: 502, body: words }, {}, { kind: "unavailable" }],
  [{ status: 502, body: words }, { error: "x" }, { kind: "failed", code: "vendor_failed" }],
  [{ status: 400, body: words }, { error: "x" }, { kind: "failed", code: "vendor_refused" }],
  [{ status: 503, body: "<html>" }, { error: "x" }, { kind: "unavailable" }],
])("a result of %j after %j is %j", async (result, status, seen) => {
  expect(await completed(result, status).poll("r-1")).toMatchObject(seen);
});

test("an answer that makes no sense counts as unavailable", async () => {
  for (const [name, body] of hostileBodies)
    for (const status of [200, 202, 400, 429, 500])
      expect(await answering({ status, body }).poll("r-1"), `${status} ${name}`).toMatchObject({
        kind: "unavailable",
      });
});

test("a status or result with anything wrong in it never throws, and another's request is not taken for ours", async () => {
  const status = {
    status: "COMPLETED",
    request_id: "r-1",
    error: "x",
    error_type: "internal_error",
  };
  const video = { url: "https://example.com/video.mp4", content_type: "video/mp4" };
  for (const body of [status, ...spoil(status)]) {
    const one = answering({ status: 200, body });
    expectWellFormed(await one.poll("r-1"));
    expect(await one.poll("r-2")).toMatchObject({ kind: "unavailable" });
  }
  const seen = new Set<string>();
  for (const body of [{ video }, ...spoil({ video, duration: 2 })]) {
    const one = await completed({ status: 200, body }).poll("r-1");
    expectWellFormed(one);
    seen.add(one.kind);
  }
  expect(seen).toEqual(new Set(["succeeded", "failed"]));
});
