import type { ReceivedRequest } from "@zoetrope/testkit/start-receiver.ts";
import { expect, test } from "vitest";
import { happyhorse } from "../../src/models/happyhorse.ts";
import { planRequest } from "../../src/models/plan-request.ts";
import { createDashScope } from "../../src/vendors/dashscope/dashscope.ts";
import { describeVendor } from "./conformance.ts";
import { jobsOf, type VendorBed } from "./vendor-bed.ts";

const pollsPerSecond = 10;
const usual = { pollsPerSecond, lostMsMax: 600_000, namesImages: true };
const models = { happyhorse: "happyhorse-1.1" };
const task = (task_id: string, more: object) => ({ request_id: "r", output: { task_id, ...more } });
const listed = (task_id: string) => ({
  task_id,
  gmt_create: Date.now(),
  model_name: "happyhorse-1.1-t2v",
  status: "SUCCEEDED",
});

describeVendor("DashScope", {
  path: "/dashscope/api/v1",
  apiKey: "sandbox-dashscope-key",
  open: (settings) => createDashScope({ ...settings, ...usual, models }),
  request: (prompt) => planRequest(happyhorse, { prompt, duration: "3" }),
  requestWith: (prompt, url) => planRequest(happyhorse, { prompt, duration: "3", urls: [url] }),
  answers: {
    submitted: task("job-1", { task_status: "PENDING" }),
    refused: { request_id: "r", code: "InvalidParameter", message: "No." },
    job: (id) =>
      task(id, {
        task_status: "SUCCEEDED",
        orig_prompt: "a fox",
        video_url: "https://example.com/video.mp4",
        code: "InternalError",
        message: "An internal error.",
      }),
    list: (id) => ({ total: 1, data: [listed(id)], total_page: 1, page_no: 1, page_size: 100 }),
  },
  refusals: [
    ["refuse=InvalidApiKey", "vendor_unavailable"],
    ["refuse=AuthenticationError", "vendor_unavailable"],
    ["refuse=AccessDenied", "vendor_unavailable"],
    ["refuse=AccessDenied.Unpurchased", "vendor_unavailable"],
    ["refuse=Workspace.AccessDenied", "vendor_unavailable"],
    ["refuse=Model.AccessDenied", "vendor_unavailable"],
    ["refuse=ModelNotExist", "vendor_unavailable"],
    ["refuse=ModelNotFound", "vendor_unavailable"],
    ["refuse=Arrearage", "vendor_unavailable"],
    ["refuse=PostpaidBillOverdue", "vendor_unavailable"],
    ["refuse=InvalidParameter", "vendor_refused"],
    ["refuse=BadRequest.EmptyInput", "vendor_refused"],
    ["refuse=InvalidParameter.DataInspection", "input_unreachable"],
    ["refuse=BadRequest.InputDownloadFailed", "input_unreachable"],
    ["refuse=InvalidURL.ConnectionRefused", "input_unreachable"],
    ["refuse=InvalidImage.FileFormat", "input_unusable"],
    ["refuse=InvalidImageResolution", "input_unusable"],
    ["refuse=BadRequest.UnsupportedFileFormat", "input_unusable"],
    ["refuse=input_blocked", "input_blocked"],
    ["refuse=output_blocked", "output_blocked"],
    ["refuse=IPInfringementSuspect", "copyright_blocked"],
    ["refuse=Throttling", "throttled"],
    ["refuse=Throttling.RateQuota", "throttled"],
    ["refuse=Throttling.BurstRate", "throttled"],
    ["refuse=Throttling.AllocationQuota", "vendor_unavailable"],
    ["refuse=InternalError", "unknown"],
    ["refuse=InternalError.Algo", "unknown"],
    ["refuse=ServiceUnavailable", "unknown"],
    ["refuse=SomethingNew", "vendor_refused"],
  ],
  failures: [
    ["fail", "vendor_failed"],
    ["fail=InternalError.Timeout", "vendor_failed"],
    ["fail=Throttling", "vendor_failed"],
    ["fail=SomethingNew", "vendor_failed"],
    ["fail=input_blocked", "input_blocked"],
    ["fail=output_blocked", "output_blocked"],
    ["fail=DataInspectionFailed", "input_blocked"],
    ["fail=IPInfringementSuspect", "copyright_blocked"],
    ["fail=InvalidParameter.DataInspection", "input_unreachable"],
    ["fail=InvalidImage.FileFormat", "input_unusable"],
    ["fail=InvalidParameter", "vendor_refused"],
  ],
  used: {
    duration: "3",
    input_video_duration: "0",
    output_video_duration: "3",
    video_count: "1",
    SR: "720",
  },
  also(bed) {
    test.each([
      ["FAILED", { duration: 0, video_count: 0 }, { duration: "0", video_count: "0" }],
      ["FAILED", undefined, null],
      ["CANCELED", { duration: 5.04 }, { duration: "5.04" }],
    ])("a task that is %s has its usage as it is reported", async (task_status, usage, used) => {
      const body = { ...task("job-1", { task_status, code: "InternalError" }), usage };
      const jobs = jobsOf(bed.answering({ status: 200, body }));
      expect(await jobs.poll("job-1")).toMatchObject({ kind: "failed", usage: used });
    });

    testPrompts(bed);
    testStatuses(bed);
    testManyPolls(bed);
    testLists(bed);
  },
});

function testPrompts(bed: VendorBed): void {
  test.each([
    [true, "[Image 1] runs"],
    [false, "character1 runs"],
  ])(
    "a create asks for a job and names images in the configured way: %s",
    async (namesImages, prompt) => {
      bed.stub.answer = () => ({ status: 200, body: task("job-1", { task_status: "PENDING" }) });
      const settings = { ...usual, namesImages, models, baseUrl: bed.stub.url, apiKey: "key" };
      const request = planRequest(happyhorse, {
        prompt: "character1 runs",
        urls: ["https://example.com/a.png"],
        videoWorkflowTab: "multi-reference",
      });
      const vendor = createDashScope({ ...settings, submitMsMax: 5_000 });
      const result = await vendor.submit(bed.job("", { request }));
      expect(result).toEqual({ kind: "accepted", jobId: "job-1" });
      const sent = bed.stub.received.at(-1);
      expect(sent).toMatchObject({
        method: "POST",
        path: "/services/aigc/video-generation/video-synthesis",
        headers: { authorization: "Bearer key", "x-dashscope-async": "enable" },
      });
      expect(JSON.parse(sent?.body ?? "")).toMatchObject({
        model: "happyhorse-1.1-r2v",
        input: { prompt },
      });
    },
  );

  test.each([
    ["InvalidParameter", "Unable to download the media resource: x", "input_unreachable"],
    ["SomethingNew", "Access denied, see help-doc#overdue-payment", "vendor_unavailable"],
    ["DataInspectionFailed", "Output data may contain inappropriate content.", "output_blocked"],
    ["DataInspectionFailed", "Input or output data may be inappropriate.", "input_blocked"],
  ])("%s with the message %j is %s", async (code, message, failure) => {
    const vendor = bed.answering({ status: 400, body: { request_id: "r", code, message } });
    const result = await vendor.submit(bed.job("a fox"));
    expect(result).toMatchObject({ kind: "refused", code: failure });
  });
}

function testStatuses(bed: VendorBed): void {
  test.each([
    ["PENDING", { kind: "waiting" }],
    ["RUNNING", { kind: "waiting" }],
    ["SUSPENDED", { kind: "waiting" }],
    ["SOMETHING", { kind: "waiting" }],
    ["SUCCEEDED", { kind: "failed", code: "output_unusable" }], // without a link
    ["FAILED", { kind: "failed", code: "vendor_failed" }],
    ["CANCELED", { kind: "failed", code: "vendor_failed" }],
    ["UNKNOWN", { kind: "missing" }],
  ])("a job that is %s is seen as %j", async (task_status, seen) => {
    const body = task("job-1", { task_status });
    const jobs = jobsOf(bed.answering({ status: 200, body }));
    expect(await jobs.poll("job-1")).toMatchObject(seen);
  });
}

function testManyPolls(bed: VendorBed): void {
  const idOf = ({ path }: ReceivedRequest) => path.split("/").at(-1) ?? "";

  test("many jobs are asked about one by one, a few at a time and not more than allowed", async () => {
    const jobs = jobsOf(bed.open({ baseUrl: bed.stub.url }));
    const before = bed.stub.received.length;
    let atOnce = 0;
    let atOnceMax = 0;
    bed.stub.answer = async (request) => {
      atOnceMax = Math.max(atOnceMax, ++atOnce);
      await new Promise(setImmediate);
      atOnce--;
      const isDown = idOf(request) === "job-3";
      if (isDown) return { status: 500, body: "" };
      return { status: 200, body: task(idOf(request), { task_status: "RUNNING" }) };
    };
    const ids = Array.from({ length: pollsPerSecond + 2 }, (_, index) => `job-${index}`);
    const seen = await jobs.pollMany(ids);
    expect(bed.stub.received.slice(before).map(idOf).sort()).toEqual(
      ids.slice(0, pollsPerSecond).sort(),
    );
    expect(atOnceMax).toBeLessThanOrEqual(4);
    expect(seen).toEqual(
      new Map(
        ids.map((id, index) => [
          id,
          index === 3 || index >= pollsPerSecond
            ? { kind: "unavailable", detail: expect.any(String) }
            : { kind: "waiting" },
        ]),
      ),
    );
    expect(await jobs.pollMany([])).toEqual(new Map());
  });
}

function testLists(bed: VendorBed): void {
  const submittedAt = new Date("2026-01-01T00:00:00+08:00");
  const at = submittedAt.getTime();

  /** DashScope with these jobs; what a job shows as its prompt is in `prompts`. */
  function listing(
    pages: { task_id: string; gmt_create: number | string; status?: string }[][],
    prompts: Record<string, string | undefined>,
  ) {
    const from = bed.stub.received.length;
    bed.stub.answer = ({ path }) => {
      const { pathname, searchParams } = new URL(path, "http://dashscope");
      const id = pathname.split("/").at(-1) ?? "";
      if (id !== "tasks") {
        const shown = prompts[id] === undefined ? {} : { orig_prompt: prompts[id] };
        return { status: 200, body: task(id, { task_status: "SUCCEEDED", ...shown }) };
      }
      const data = (pages[Number(searchParams.get("page_no")) - 1] ?? []).map((job) => ({
        ...listed(job.task_id),
        ...job,
      }));
      return { status: 200, body: { data, total_page: pages.length } };
    };
    const jobs = jobsOf(bed.open({ baseUrl: bed.stub.url }));
    return {
      find: (inputs: object, taken = new Set<string>()) => {
        const request = planRequest(happyhorse, inputs);
        return jobs.findLost({ request, endUser: "x", submittedAt, taken });
      },
      urls: () => bed.stub.received.slice(from).map(({ path }) => path),
    };
  }

  test("a lost job is listed by model and time, and matched by its prompt", async () => {
    const { find, urls } = listing(
      [
        [
          { task_id: "ours", gmt_create: at + 2_000 },
          { task_id: "other", gmt_create: at + 1_000 },
          { task_id: "hidden", gmt_create: at + 1_000 },
        ],
        [
          { task_id: "early", gmt_create: at - 31_000 },
          { task_id: "running", gmt_create: at, status: "RUNNING" },
          { task_id: "twin", gmt_create: "2026-01-01 00:00:03.000" },
        ],
      ],
      { ours: "a fox", other: "a hen", early: "a fox", running: "a fox", twin: "a fox" },
    );
    expect(await find({ prompt: "a fox" })).toEqual(["ours", "twin"]);
    const window = "start_time=20251231235930&end_time=20260101000030";
    expect(urls()).toEqual([
      `/tasks?model_name=happyhorse-1.1-t2v&${window}&page_size=100&page_no=1`,
      `/tasks?model_name=happyhorse-1.1-t2v&${window}&page_size=100&page_no=2`,
      ...["other", "hidden", "ours", "twin"].map((id) => `/tasks/${id}`), // the nearest first
    ]);
  });

  test("a job that is known to be another task's is not even asked about", async () => {
    const jobs = ["ours", "theirs"].map((task_id) => ({ task_id, gmt_create: at }));
    const { find, urls } = listing([jobs], { ours: "a fox", theirs: "a fox" });
    expect(await find({ prompt: "a fox" }, new Set(["theirs"]))).toEqual(["ours"]);
    expect(urls()).not.toContain("/tasks/theirs");
  });

  test("while a job of that moment that may be ours is at work, nothing is decided", async () => {
    const running = { task_id: "running", gmt_create: at, status: "RUNNING" };
    const other = { task_id: "other", gmt_create: at };
    const { find } = listing([[running, other]], { other: "a hen" });
    expect(await find({ prompt: "a fox" })).toBe("undecided");
    expect(await find({ prompt: "a fox" }, new Set(["running"]))).toEqual([]);
    const early = { ...running, gmt_create: at - 31_000 };
    expect(await listing([[early]], {}).find({ prompt: "a fox" })).toEqual([]);
  });

  test("a prompt is compared as it was sent", async () => {
    const { find } = listing([[{ task_id: "ours", gmt_create: at }]], { ours: "[Image 1] runs" });
    const urls = ["https://example.com/a.png"];
    const reference = { urls, videoWorkflowTab: "multi-reference" };
    bed.stub.answer = ((answer) => async (request: ReceivedRequest, nth: number) => {
      const given = await answer(request, nth);
      return JSON.parse(JSON.stringify(given).replaceAll("-t2v", "-r2v"));
    })(bed.stub.answer);
    expect(await find({ ...reference, prompt: "character1 runs" })).toEqual(["ours"]);
  });

  test("a job without a prompt cannot be distinguished from others, and is not searched for", async () => {
    const { find, urls } = listing([[{ task_id: "ours", gmt_create: at }]], {});
    expect(await find({ urls: ["https://example.com/a.png"] })).toEqual([]);
    expect(urls()).toEqual([]);
  });

  test("a list without end is none", async () => {
    const page = [{ task_id: "ours", gmt_create: at }];
    const { find, urls } = listing(
      Array.from({ length: 11 }, () => page),
      { ours: "a fox" },
    );
    expect(await find({ prompt: "a fox" })).toBe("unavailable");
    expect(urls()).toHaveLength(10);
  });
}
