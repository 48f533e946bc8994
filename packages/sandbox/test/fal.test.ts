import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ffmpeg, makeClip } from "@zoetrope/testkit/make-media.ts";
import { expect, test } from "vitest";
import { falKey, falSandbox, falSandboxWith, submitPath } from "./fal-support.ts";
import { toneLevel } from "./media-support.ts";
import { probe } from "./support.ts";

const source = { video_url: "http://127.0.0.1:9/video.mp4" };
const tone = ["-f", "lavfi", "-i", "sine=f=440:d=0.3"];
const small = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=24:d=0.3"];
const toPipe = ["-movflags", "frag_keyframe+empty_moov", "-f", "mp4"];

test("a video is upscaled at the requested frame rate and keeps its audio", async () => {
  const encoder = ["-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  const clip = await ffmpeg(...small, ...tone, ...encoder, ...toPipe);
  const { sandbox, sources } = await falSandboxWith({ "/a.mp4": clip });
  const { status_url, response_url } = await sandbox.submitted({
    video_url: `${sources.url}/a.mp4`,
    target_resolution: "2k",
    target_fps: "60fps",
  });
  await sandbox.reaches(status_url, "COMPLETED");
  const { video, duration } = await sandbox.result(response_url);
  expect(duration).toBeCloseTo(0.3, 1);
  expect(await sandbox.result(`${response_url}/response`)).toEqual({ video, duration });
  const made = await probe(video.url);
  expect(made.video).toMatchObject({ width: 2560, height: 1440, r_frame_rate: "60/1" });
  expect(await toneLevel(video.url, 440)).toBeGreaterThan(-40);
});

test("a portrait video in WebM is upscaled by its short side", async () => {
  const portrait = ["-f", "lavfi", "-i", "testsrc2=s=90x160:r=10:d=1"];
  const clip = await ffmpeg(...portrait, "-c:v", "libvpx-vp9", "-f", "webm");
  const { sandbox, sources } = await falSandboxWith({ "/a.webm": clip });
  const submitted = await sandbox.submitted({ video_url: `${sources.url}/a.webm` });
  await sandbox.reaches(submitted.status_url, "COMPLETED");
  const { video } = await sandbox.result(submitted.response_url);
  const made = await probe(video.url);
  expect(made.video).toMatchObject({ width: 1080, height: 1920, r_frame_rate: "30/1" });
});

test("a source that is large already, no video, or not there fails the request, not the submit", async () => {
  const { sandbox, sources } = await falSandboxWith({
    "/large.mp4": await makeClip("testsrc2=s=1080x1080:r=5:d=1"),
    "/none.mp4": Buffer.from("no video"),
  });
  const typeOf = async (name: string) => {
    const submitted = await sandbox.submitted({ video_url: `${sources.url}/${name}` });
    const seen = await sandbox.reaches(submitted.status_url, "COMPLETED");
    expect(seen).toMatchObject({ error: "Invalid status code: 422" });
    return sandbox.at(submitted.response_url);
  };
  const refused = (type: string) => ({ status: 422, body: { detail: [{ type }] } });
  expect(await typeOf("large.mp4")).toMatchObject(refused("value_error"));
  expect(await typeOf("none.mp4")).toMatchObject(refused("unsupported_video_format"));
  expect(await typeOf("missing.mp4")).toMatchObject(refused("file_download_error"));
});

test("a request is IN_QUEUE, then IN_PROGRESS, both with 202, and has no result until COMPLETED", async () => {
  const sandbox = await falSandbox({ queuedMs: 300, runningMs: 300 });
  const { status_url, response_url, request_id } = await sandbox.cheaply();
  expect(await sandbox.at(status_url)).toMatchObject({
    status: 202,
    body: { status: "IN_QUEUE", request_id },
  });
  await sandbox.reaches(status_url, "IN_PROGRESS");
  expect(await sandbox.at(response_url)).toEqual({
    status: 400,
    body: { detail: "Request is still in progress" },
  });
  await sandbox.reaches(status_url, "COMPLETED");
  expect((await sandbox.at(status_url)).status).toBe(200);
});

test.each([
  [{}, "missing"],
  [{ video_url: "file:///etc/passwd" }, "value_error"],
  [{ ...source, target_resolution: "8k" }, "value_error"],
  [{ ...source, target_fps: "24fps" }, "value_error"],
  [{ ...source, prompt: "a fox" }, "value_error"],
])("a submit of %j is refused with 422 %s", async (body, type) => {
  const sandbox = await falSandbox();
  const answer = await sandbox.submit(body);
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body"], type }] } });
  expect((await sandbox.stats()).accepted).toBe(0);
});

test.each(["", "Key wrong", `Bearer ${falKey}`])(
  "only this vendor's key, with its own prefix, opens the queue: not %j",
  async (authorization) => {
    const sandbox = await falSandbox();
    const response = await fetch(sandbox.url + submitPath, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(source),
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ detail: "invalid key credentials" });
  },
);

test.each([
  ["input_blocked", 422, { detail: [{ type: "content_policy_violation" }] }],
  ["vendor_failed", 500, { detail: [{ type: "internal_server_error" }] }],
  ["runner_disconnected", 503, { error_type: "runner_disconnected" }],
  ["request_timeout", 504, { error_type: "request_timeout" }],
  ["user_locked", 403, { detail: expect.stringMatching(/scripted/) }],
])("fail=%s: the request is COMPLETED and its result answers %i", async (outcome, status, body) => {
  const sandbox = await falSandbox();
  const { status_url, response_url } = await sandbox.scripted(`fail=${outcome}`);
  const seen = await sandbox.reaches(status_url, "COMPLETED");
  const isTyped = "error_type" in body;
  expect(seen["error_type"]).toBe(isTyped ? outcome : undefined);
  expect(seen["error"]).toEqual(expect.any(String));
  expect(await sandbox.at(response_url)).toMatchObject({ status, body });
});

test("a request is cancelled in the queue and while it runs, and not once it is over", async () => {
  const sandbox = await falSandbox({ queuedMs: 300, runningMs: 3_600_000 });
  const queued = await sandbox.cheaply();
  expect(await sandbox.at(queued.cancel_url, "PUT")).toEqual({
    status: 200,
    body: { status: "OK" },
  });
  const running = await sandbox.cheaply();
  await sandbox.reaches(running.status_url, "IN_PROGRESS");
  expect((await sandbox.at(running.cancel_url, "PUT")).status).toBe(202);
  for (const { status_url, response_url, cancel_url } of [queued, running]) {
    const seen = await sandbox.reaches(status_url, "COMPLETED");
    expect(seen).toMatchObject({ error_type: "client_cancelled" });
    expect((await sandbox.at(response_url)).status).toBe(499);
    expect((await sandbox.at(cancel_url, "PUT")).status).toBe(400);
  }
});

test("an unknown request and one that was made to expire are 404", async () => {
  const sandbox = await falSandbox();
  const { request_id, status_url, response_url } = await sandbox.scripted("hang");
  await sandbox.reaches(status_url, "IN_PROGRESS");
  await sandbox.control("POST", `/jobs/${request_id}/finish`, { status: "expired" });
  expect(await sandbox.at(status_url)).toEqual({
    status: 404,
    body: { detail: "Request not found" },
  });
  expect((await sandbox.at(response_url)).status).toBe(404);
  const unknown = status_url.replace(request_id, "00000000-0000-4000-8000-000000000000");
  expect((await sandbox.at(unknown)).status).toBe(404);
  expect((await sandbox.at(unknown.replace("/status", "/cancel"), "PUT")).status).toBe(404);
});

test("a fault without a vendor is not for a submit, which has no prompt", async () => {
  const sandbox = await falSandbox();
  await sandbox.control("POST", "/faults", { fault: "lost" });
  expect((await sandbox.submit(source)).status).toBe(200);
});

test("the journal has every submit, with the source where others have a prompt", async () => {
  const sandbox = await falSandbox();
  await sandbox.injectFault("refuse=vendor_unavailable");
  await sandbox.submit(source);
  const { request_id } = await sandbox.cheaply();
  const journal = readFileSync(join(sandbox.dir, "sandbox.jsonl"), "utf8").trim().split("\n");
  const lines = journal.map((line) => JSON.parse(line));
  const creates = lines.filter(({ event }) => event === "create");
  const common = { vendor: "fal", prompt: source.video_url };
  expect(creates).toMatchObject([
    { ...common, jobId: null, accepted: false, answer: 403, code: "user_locked" },
    { ...common, jobId: request_id, accepted: true, answer: 200, code: null },
  ]);
});
