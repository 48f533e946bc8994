import { expect, test } from "vitest";
import { models as catalogue } from "../../src/models/catalogue.ts";
import { planRequest, requireModel } from "../../src/models/plan-request.ts";
import { sd2 } from "../../src/models/sd2.ts";
import { createArk } from "../../src/vendors/ark/ark.ts";
import { describeVendor } from "./conformance.ts";
import { jobsOf, type VendorBed } from "./vendor-bed.ts";

const planNamed = (model: string, inputs: object) =>
  planRequest(requireModel(catalogue, model), inputs);

const models = {
  sd2: "dreamina-seedance-2-0-260128",
  "sd2-fast": "dreamina-seedance-2-0-fast-260128",
};
const created = Math.floor(Date.now() / 1_000);
const succeeded = (id: string) => ({
  id,
  status: "succeeded",
  content: { video_url: "https://example.com/video.mp4" },
  created_at: created,
  safety_identifier: "a".repeat(64),
});
const fault = { code: "InternalServiceError", message: "An internal error." };

describeVendor("Ark", {
  path: "/api/v3",
  apiKey: "sandbox-ark-key",
  open: (settings) => createArk({ ...settings, models, pollsPerSecond: 100, lostMsMax: 60_000 }),
  request: (prompt) => planRequest(sd2, { prompt, duration: "4s" }),
  requestWith: (prompt, url) => planRequest(sd2, { prompt, duration: "4s", urls: [url] }),
  answers: {
    submitted: { id: "cgt-1" },
    refused: {
      error: { code: "InvalidParameter", message: "No.", param: "x", type: "BadRequest" },
    },
    job: (id) => ({ ...succeeded(id), error: fault }),
    list: (id) => ({ total: 1, items: [{ ...succeeded(id), failure_reason: fault }] }),
  },
  refusals: [
    ["refuse=MissingParameter", "vendor_refused"],
    ["refuse=MissingParameter.content", "vendor_refused"],
    ["refuse=InvalidParameter", "vendor_refused"],
    ["refuse=InvalidParameter.UnsupportedParameter", "vendor_refused"],
    ["refuse=InvalidImageURL.EmptyURL", "input_unusable"],
    ["refuse=InvalidImageURL.InvalidFormat", "input_unusable"],
    ["refuse=InvalidParameter.TosURLInvalid", "input_unreachable"],
    ["refuse=input_unreachable", "input_unreachable"],
    ["refuse=InputTextSensitiveContentDetected", "input_blocked"],
    ["refuse=InputImageSensitiveContentDetected", "input_blocked"],
    ["refuse=InputVideoSensitiveContentDetected", "input_blocked"],
    ["refuse=InputAudioSensitiveContentDetected", "input_blocked"],
    ["refuse=InputTextRiskDetection", "input_blocked"],
    ["refuse=InputImageRiskDetection", "input_blocked"],
    ["refuse=SensitiveContentDetected", "input_blocked"],
    ["refuse=SensitiveContentDetected.SevereViolation", "input_blocked"],
    ["refuse=InputImageSensitiveContentDetected.PrivacyInformation", "real_person_blocked"],
    ["refuse=InputVideoSensitiveContentDetected.PrivacyInformation", "real_person_blocked"],
    ["refuse=InputTextSensitiveContentDetected.PolicyViolation", "copyright_blocked"],
    ["refuse=InputAudioSensitiveContentDetected.PolicyViolation", "copyright_blocked"],
    ["refuse=ContentSecurityDetectionError", "throttled"],
    ["refuse=AuthenticationError", "vendor_unavailable"],
    ["refuse=InvalidAccountStatus", "vendor_unavailable"],
    ["refuse=AccessDenied", "vendor_unavailable"],
    ["refuse=OperationDenied.PermissionDenied", "vendor_unavailable"],
    ["refuse=OperationDenied.ServiceNotOpen", "vendor_unavailable"],
    ["refuse=AccountOverdueError", "vendor_unavailable"],
    ["refuse=OperationDenied.ServiceOverdue", "vendor_unavailable"],
    ["refuse=InvalidEndpointOrModel.NotFound", "vendor_unavailable"],
    ["refuse=InvalidEndpointOrModel.ModelIDAccessDisabled", "vendor_unavailable"],
    ["refuse=ModelNotOpen", "vendor_unavailable"],
    ["refuse=RateLimitExceeded.EndpointRPMExceeded", "throttled"],
    ["refuse=ModelAccountRpmRateLimitExceeded", "throttled"],
    ["refuse=APIAccountRpmRateLimitExceeded", "throttled"],
    ["refuse=AccountRateLimitExceeded", "throttled"],
    ["refuse=RequestBurstTooFast", "throttled"],
    ["refuse=ServerOverloaded", "throttled"],
    ["refuse=QuotaExceeded", "vendor_unavailable"],
    ["refuse=SetLimitExceeded", "vendor_unavailable"],
    ["refuse=InflightBatchsizeExceeded", "vendor_unavailable"],
    ["refuse=InternalServiceError", "unknown"],
    ["refuse=SomethingNew", "vendor_refused"],
  ],
  failures: [
    ["fail", "vendor_failed"],
    ["fail=InternalServiceError", "vendor_failed"],
    ["fail=ContentSecurityDetectionError", "vendor_failed"],
    ["fail=SomethingNew", "vendor_failed"],
    ["fail=InputTextSensitiveContentDetected", "input_blocked"],
    ["fail=InputImageSensitiveContentDetected.PrivacyInformation", "real_person_blocked"],
    ["fail=OutputVideoSensitiveContentDetected", "output_blocked"],
    ["fail=OutputVideoSensitiveContentDetected.PolicyViolation", "copyright_blocked"],
    ["fail=InvalidImageURL.InvalidFormat", "input_unusable"],
    ["fail=InvalidParameter.TosURLInvalid", "input_unreachable"],
    ["fail=input_unreachable", "input_unreachable"],
    ["fail=QuotaExceeded", "vendor_unavailable"],
    ["expire", "task_expired"],
  ],
  used: { completion_tokens: expect.stringMatching(/^\d{5}$/), total_tokens: expect.any(String) },
  also(bed) {
    testPrompts(bed);
    testUsage(bed);
    testCallbacks(bed);
    testLists(bed);
  },
});

function testPrompts(bed: VendorBed): void {
  test("switches in a prompt do not become parameters", async () => {
    const jobId = await bed.submitted("[sandbox:hang] a fox --dur 15 --rs 1080p --seed 7");
    const response = await fetch(`${bed.baseUrl}/contents/generations/tasks/${jobId}`, {
      headers: { authorization: "Bearer sandbox-ark-key" },
    });
    expect(await response.json()).toMatchObject({ duration: 4, resolution: "720p" });
  });

  test.each([
    ["The number of queued tasks has reached its limit.", { kind: "throttled" }],
    ["The free quota is used up.", { kind: "refused", code: "vendor_unavailable" }],
  ])("a quota that is exceeded is read by its message: %s", async (message, result) => {
    const body = { error: { code: "QuotaExceeded", message } };
    const vendor = bed.answering({ status: 429, body });
    expect(await vendor.submit(bed.job("a fox"))).toMatchObject(result);
  });
}

function testUsage(bed: VendorBed): void {
  test.each([
    [
      "failed",
      { completion_tokens: 0, total_tokens: 0 },
      { completion_tokens: "0", total_tokens: "0" },
    ],
    ["expired", { completion_tokens: 108_900 }, { completion_tokens: "108900" }],
    ["cancelled", undefined, null],
  ])("a job that is %s has its usage as it is reported", async (status, usage, used) => {
    const body = { ...succeeded("cgt-1"), status, error: fault, content: null, usage };
    const jobs = jobsOf(bed.answering({ status: 200, body }));
    expect(await jobs.poll("cgt-1")).toMatchObject({ kind: "failed", usage: used });
  });
}

function testCallbacks(bed: VendorBed): void {
  test("a callback is read as a hint", () => {
    const { readCallback } = jobsOf(bed.vendor);
    expect(readCallback(succeeded("cgt-1"))).toEqual({ jobId: "cgt-1", isOver: true });
    const running = { ...succeeded("cgt-1"), status: "running" };
    expect(readCallback(running)).toEqual({ jobId: "cgt-1", isOver: false });
  });
}

function testLists(bed: VendorBed): void {
  const pageSize = 500;
  /** Ark with this many jobs, the newest of now and each of them so much older than the last. */
  function listing(count: number, stepSeconds: number) {
    const from = bed.stub.received.length;
    bed.stub.answer = ({ path }) => {
      const query = new URL(path, "http://ark").searchParams;
      const first = (Number(query.get("page_num")) - 1) * pageSize;
      const numbers = Array.from({ length: pageSize }, (_, index) => first + index);
      const items = numbers
        .filter((number) => number < count)
        .map((number) => ({
          ...succeeded(`cgt-${number}`),
          created_at: Date.now() / 1_000 - number * stepSeconds,
          safety_identifier: String(number),
        }));
      return { status: 200, body: { total: count, items } };
    };
    const { findLost } = jobsOf(bed.open({ baseUrl: bed.stub.url }));
    const find = (number: number, model = "sd2") =>
      findLost({
        request: planNamed(model, { prompt: "a fox" }),
        endUser: String(number),
        submittedAt: new Date(Date.now() - number * stepSeconds * 1_000),
        taken: new Set(),
      });
    return { find, calls: () => bed.stub.received.slice(from) };
  }

  test("a lost job is searched for page by page, back to its time and not further", async () => {
    const { find, calls } = listing(2_000, 0.1);
    expect(await find(700)).toEqual(["cgt-700"]);
    expect(calls().map(({ path }) => path)).toEqual([
      expect.stringContaining("page_num=1&page_size=500"),
      expect.stringContaining("page_num=2&page_size=500"),
      expect.stringContaining("page_num=3&page_size=500"), // up to 30 s before it
    ]);
  });

  test("several lost jobs share the next list of their model, one call a second", async () => {
    const { find, calls } = listing(400, 0.1);
    const first = find(1);
    await expect.poll(() => calls().length).toBe(1);
    const found = await Promise.all([first, find(2), find(3), find(300), find(4, "sd2-fast")]);
    expect(found).toEqual([["cgt-1"], ["cgt-2"], ["cgt-3"], ["cgt-300"], ["cgt-4"]]);
    const times = calls().map(({ at }) => at);
    expect(times).toHaveLength(3);
    // Two seconds, less what a busy machine delays the first.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_400);
  });
}
