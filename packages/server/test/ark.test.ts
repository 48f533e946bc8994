import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { printsLine, startProcess } from "@zoetrope/dev/services/process.ts";
import { makeScratch } from "@zoetrope/dev/services/scratch.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planRequest } from "../src/models/plan-request.ts";
import { createArk } from "../src/vendors/ark/ark.ts";
import type { Sighting, Vendor, VendorJob } from "../src/vendors/vendor.ts";
import { startReceiver } from "./harness/receiver.ts";

const sandboxMain = fileURLToPath(new URL("../../sandbox/src/main.ts", import.meta.url));
const cleanUp = new AsyncDisposableStack();
let baseUrl: string;
let ark: Vendor;
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("ark"));
  const port = await freePort();
  cleanUp.use(
    await startProcess({
      name: "sandbox",
      command: process.execPath,
      args: [sandboxMain],
      env: {
        SANDBOX_PORT: String(port),
        SANDBOX_DIR: scratch.path,
        SANDBOX_QUEUED_MS: "50",
        SANDBOX_RUNNING_MS: "50",
      },
      logFile: join(scratch.path, "sandbox.log"),
      isReady: printsLine(/sandbox\.listening/),
    }),
  );
  baseUrl = `http://127.0.0.1:${port}/api/v3`;
  ark = open({});
});
afterAll(() => cleanUp.disposeAsync());

function open(change: { baseUrl?: string; apiKey?: string; submitMsMax?: number }): Vendor {
  const models = {
    sd2: "dreamina-seedance-2-0-260128",
    "sd2-fast": "dreamina-seedance-2-0-fast-260128",
  };
  return createArk({ baseUrl, apiKey: "sandbox-ark-key", models, submitMsMax: 1_000, ...change });
}

function job(prompt: string, endUser = "somebody"): VendorJob {
  const request = planRequest("sd2", { prompt, duration: "4s" });
  return { request, callbackUrl: "http://127.0.0.1:9/", secondsMax: 7200, endUser };
}

async function submitted(prompt: string, endUser?: string): Promise<string> {
  const result = await ark.submit(job(prompt, endUser));
  if (result.kind !== "accepted") throw new Error(`not accepted: ${JSON.stringify(result)}`);
  return result.jobId;
}

async function seen(jobId: string, kind: Sighting["kind"]): Promise<Sighting> {
  let sighting = await ark.look(jobId);
  await waitUntil(
    `job is ${kind}`,
    async () => {
      sighting = await ark.look(jobId);
      return sighting.kind === kind;
    },
    { timeoutMs: 20_000 },
  );
  return sighting;
}

test("an accepted job is waited for and then has a link", async () => {
  const jobId = await submitted("a fox");
  expect(await seen(jobId, "succeeded")).toEqual({
    kind: "succeeded",
    mediaUrl: expect.stringMatching(/^http.*mp4/),
  });
});

test.each([
  ["refuse=InputTextSensitiveContentDetected", { kind: "refused", code: "input_blocked" }],
  ["refuse=InvalidParameter", { kind: "refused", code: "vendor_refused" }],
  ["refuse=AccountOverdueError", { kind: "refused", code: "vendor_unavailable" }],
  ["throttle", { kind: "throttled" }],
  ["reset", { kind: "unknown" }],
  ["timeout", { kind: "unknown" }],
  ["500", { kind: "unknown" }],
  ["lost", { kind: "unknown" }],
  ["garbage", { kind: "unknown" }],
])("a submit that meets %s ends as %j", async (word, result) => {
  expect(await ark.submit(job(`[sandbox:${word}]`))).toMatchObject(result);
});

test("a wrong key is refused as the operator's trouble, not the caller's", async () => {
  const result = await open({ apiKey: "wrong" }).submit(job("a fox"));
  expect(result).toMatchObject({ kind: "refused", code: "vendor_unavailable" });
});

test("nobody listening is unavailable: proven not accepted", async () => {
  const gone = open({ baseUrl: "http://127.0.0.1:9" });
  expect(await gone.submit(job("a fox"))).toMatchObject({ kind: "unavailable" });
  expect(await gone.look("x")).toMatchObject({ kind: "unavailable" });
  expect(await gone.lookAtMany(["x"])).toBe("unavailable");
});

test.each([
  ["fail", "vendor_failed"],
  ["fail=OutputVideoSensitiveContentDetected", "output_blocked"],
  ["fail=OutputVideoSensitiveContentDetected.PolicyViolation", "copyright_blocked"],
  ["fail=InputImageSensitiveContentDetected.PrivacyInformation", "real_person_blocked"],
])("a job that ends with %s is seen as failed: %s", async (word, code) => {
  expect(await seen(await submitted(`[sandbox:${word}]`), "failed")).toMatchObject({ code });
});

test("many jobs are seen in one call, and one that is not there is missing", async () => {
  const hung = await submitted("[sandbox:hang]");
  const broken = await submitted("[sandbox:fail]");
  await seen(broken, "failed");
  const many = await ark.lookAtMany([hung, broken, "cgt-none"]);
  expect(many).toEqual(
    new Map([
      [hung, { kind: "waiting" }],
      [broken, expect.objectContaining({ kind: "failed", code: "vendor_failed" })],
      ["cgt-none", { kind: "missing" }],
    ]),
  );
  expect(await ark.look("cgt-none")).toEqual({ kind: "missing" });
});

test("a job whose answer was lost is found by its caller and time, and nobody else's", async () => {
  const request = planRequest("sd2", { prompt: "x" });
  const submittedAt = new Date();
  const jobId = await submitted("[sandbox:hang]", "lost caller");
  await submitted("[sandbox:hang]", "other caller");
  expect(await ark.findLost({ request, endUser: "lost caller", submittedAt })).toEqual([jobId]);
  const longAgo = new Date(submittedAt.getTime() - 3_600_000);
  expect(await ark.findLost({ request, endUser: "lost caller", submittedAt: longAgo })).toEqual([]);
});

test("switches in a prompt do not become parameters", async () => {
  const jobId = await submitted("[sandbox:hang] a fox --dur 15 --rs 1080p --seed 7");
  const response = await fetch(`${baseUrl}/contents/generations/tasks/${jobId}`, {
    headers: { authorization: "Bearer sandbox-ark-key" },
  });
  expect(await response.json()).toMatchObject({ duration: 4, resolution: "720p" });
});

test("an answer that makes no sense is no sighting", async () => {
  await using stranger = await startReceiver(() => 200);
  const strange = open({ baseUrl: stranger.url });
  expect(await strange.look("cgt-1")).toMatchObject({ kind: "unavailable" });
});

test("a callback is read as a hint, and nonsense as nothing", () => {
  const body = { id: "cgt-1", status: "succeeded", content: { video_url: "https://x/y.mp4" } };
  expect(ark.readCallback(body)).toEqual({ jobId: "cgt-1", isOver: true });
  expect(ark.readCallback({ ...body, status: "running" })).toEqual({
    jobId: "cgt-1",
    isOver: false,
  });
  for (const nonsense of [null, "", [], {}, { id: 5 }])
    expect(ark.readCallback(nonsense)).toBeNull();
});
