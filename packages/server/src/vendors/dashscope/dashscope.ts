import assert from "node:assert";
import { z } from "zod";
import type { FailureCode } from "../../errors.ts";
import { type HappyhorseRequest, isHappyhorseRequest } from "../../models/happyhorse.ts";
import type { ModelRequest } from "../../models/request.ts";
import { call } from "../call.ts";
import { defineVendor, milliseconds, perSecond, vendorAccountSettings } from "../define-vendor.ts";
import { detailOf } from "../detail.ts";
import { type Fault, readRefusal } from "../read-refusal.ts";
import { readUsage } from "../read-usage.ts";
import type { PollResult, SeenJob, Vendor, VendorJobs } from "../vendor.ts";
import { vendorModelOf } from "../vendor-model.ts";
import { isLink, timeOr } from "../wire-values.ts";
import { type DashScopeCalls, openCalls } from "./calls.ts";
import { verdictOf } from "./errors.ts";
import { inParallel } from "./in-parallel.ts";
import {
  createdSchema,
  type DashScopeJob,
  errorSchema,
  imageRulesOf,
  type ListedJob,
  renderCreate,
  suffixes,
  withImagesNamed,
} from "./wire.ts";

export interface DashScopeSettings {
  baseUrl: string;
  apiKey: string;
  /** The models, named without the suffix that names the mode. */
  models: Readonly<Partial<Record<string, string>>>;
  submitMsMax: number;
  pollsPerSecond: number;
  lostMsMax: number;
  /** Whether prompts name reference images `[Image 1]` rather than `character1`. */
  namesImages: boolean;
}

export const dashscope = defineVendor({
  kind: "dashscope",
  settings: z.strictObject({
    ...vendorAccountSettings({ happyhorse: "happyhorse-1.1" }), // the suffix of the mode is added
    submitMsMax: milliseconds.default(15_000),
    pollsPerSecond: perSecond.default(10),
    lostMsMax: milliseconds.default(600_000), // a job shows its prompt once the video is there
    /** Whether prompts name reference images `[Image 1]` rather than `character1`. */
    namesImages: z.boolean().default(true),
  }),
  open: createDashScope,
  freeCall: (settings) => ({
    url: `${settings.baseUrl}/tasks?page_no=1&page_size=1`,
    headers: openCalls(settings).headers,
  }),
});

const pollsAtOnceMax = 4;
const listedMs = 60 * 60_000;
const lostWindowMs = 30_000; // how far the vendor's clock and ours, plus the call itself, may be apart

export function createDashScope(settings: DashScopeSettings): Vendor {
  const calls = openCalls(settings);
  return {
    takesFiles: false,
    imageRulesOf,
    memoryBytesOf: () => 0,
    submitMsMax: settings.submitMsMax,
    jobs: createJobs(settings, calls),
    modelOf: (request) => modelOf(settings, happyhorseOf({ request })),
    async submit(job) {
      const request = happyhorseOf(job);
      const answer = await call({
        method: "POST",
        url: `${settings.baseUrl}/services/aigc/video-generation/video-synthesis`,
        headers: { ...calls.headers, "X-DashScope-Async": "enable" },
        body: renderCreate(job, request, modelOf(settings, request), promptOf(settings, request)),
        totalMsMax: settings.submitMsMax,
      });
      const isAnswered = answer.kind === "answered";
      const isGood = isAnswered && answer.status >= 200 && answer.status < 300;
      const created = isGood ? createdSchema.safeParse(answer.json).data : undefined;
      if (created) return { kind: "accepted", jobId: created.output.task_id };
      const fault = isAnswered ? errorSchema.safeParse(answer.json).data : undefined;
      return readRefusal(answer, fault ?? null, verdictOf);
    },
  };
}

function createJobs(settings: DashScopeSettings, calls: DashScopeCalls): VendorJobs {
  const { pollsPerSecond, lostMsMax } = settings;
  async function poll(jobId: string): Promise<PollResult> {
    const seen = await calls.get(jobId);
    return seen.kind === "found" ? readJob(seen.job) : seen;
  }
  return {
    pollsPerSecond,
    matchLostBy: "prompt",
    lostMsMax,
    poll,

    async pollMany(jobIds) {
      // All at once: one that hangs would otherwise hold up those behind it.
      const seen = await inParallel(jobIds.slice(0, pollsPerSecond), pollsPerSecond, poll);
      if (seen.length > 0 && seen.every(({ kind }) => kind === "unavailable")) return "unavailable";
      const notAsked: PollResult = {
        kind: "unavailable",
        detail: "not polled: too many jobs at once",
      };
      return new Map(jobIds.map((jobId, index) => [jobId, seen[index] ?? notAsked]));
    },

    /**
     * Returns the jobs that may be the lost one. The owner of a job is not listed, and only `get` shows a
     * prompt, once the video is done. While a job that does not show its prompt is running, nothing is
     * decided.
     */
    async findLost(lost) {
      const request = happyhorseOf(lost);
      const prompt = promptOf(settings, request);
      if (prompt === null) return [];
      const submittedAt = lost.submittedAt.getTime();
      const listed = await calls.list(modelOf(settings, request), {
        from: submittedAt - lostWindowMs,
        to: submittedAt + lostWindowMs,
      });
      if (listed === "unavailable") return listed;
      const distance = (job: ListedJob) => Math.abs((job.gmt_create ?? submittedAt) - submittedAt);
      const free = listed.filter(
        (job) => distance(job) < lostWindowMs && !lost.taken.has(job.task_id),
      );
      const near = free
        .filter((job) => job.status === "SUCCEEDED")
        .sort((one, other) => distance(one) - distance(other))
        .slice(0, pollsPerSecond);
      const polled = await inParallel(near, pollsAtOnceMax, ({ task_id }) => calls.get(task_id));
      const found = polled.flatMap((seen) =>
        seen.kind === "found" && seen.job.orig_prompt === prompt ? seen.job.task_id : [],
      );
      const isAnyOpen = free.some(({ status }) => status === "PENDING" || status === "RUNNING");
      return found.length === 0 && isAnyOpen ? "undecided" : found;
    },

    listSince: (since, taken) => listSince(settings, calls, since, taken),
    cancel: (jobId) => calls.cancel(jobId), // only what is pending
    readCallback: () => null, // DashScope sends none
  };
}

/** Model by model, in stretches short enough for one list each. */
async function listSince(
  settings: DashScopeSettings,
  calls: DashScopeCalls,
  since: Date,
  taken: ReadonlySet<string>,
): Promise<SeenJob[] | "unavailable"> {
  const seen = new Map<string, SeenJob>();
  const models = Object.values(settings.models).flatMap((model) =>
    Object.values(suffixes).map((suffix) => `${model}-${suffix}`),
  );
  for (const model of models)
    for (let from = since.getTime(); from <= Date.now(); from += listedMs) {
      const listed = await calls.list(model, { from, to: from + listedMs });
      if (listed === "unavailable") return listed;
      const free = listed.filter((job) => !taken.has(job.task_id) && !seen.has(job.task_id));
      const over = free.filter(({ status }) => status === "SUCCEEDED");
      const got = await inParallel(over, pollsAtOnceMax, ({ task_id }) => calls.get(task_id));
      const prompts = new Map(
        got.flatMap((one) =>
          one.kind === "found" ? [[one.job.task_id, one.job.orig_prompt ?? null] as const] : [],
        ),
      );
      for (const job of free)
        seen.set(job.task_id, seenJobOf(settings, model, job, prompts.get(job.task_id) ?? null));
    }
  return [...seen.values()];
}

/** Returns a job as it was seen. Its owner is not listed; its prompt is shown once the video is done. */
function seenJobOf(
  settings: DashScopeSettings,
  model: string,
  job: ListedJob,
  prompt: string | null,
): SeenJob {
  return {
    jobId: job.task_id,
    createdAt: timeOr(job.gmt_create ?? Number.NaN, new Date()), // without a time it may be anybody's
    isOver: job.status !== "PENDING" && job.status !== "RUNNING",
    endUser: null,
    expiresAt: null,
    isFor: (request) => {
      if (!isHappyhorseRequest(request) || modelOf(settings, request) !== model) return false;
      return prompt === null ? "unknown" : prompt === promptOf(settings, request);
    },
  };
}

function happyhorseOf({ request }: { request: ModelRequest }): HappyhorseRequest {
  assert(isHappyhorseRequest(request), "DashScope serves happyhorse");
  return request;
}

function readJob(job: DashScopeJob): PollResult {
  const usage = readUsage(job.usage);
  switch (job.task_status) {
    case "SUCCEEDED":
      if (isLink(job.video_url)) return { kind: "succeeded", mediaUrl: job.video_url, usage };
      return {
        kind: "failed",
        code: "output_unusable",
        detail: "succeeded without a link",
        usage,
      };
    case "FAILED":
    case "CANCELED": {
      const fault = { code: job.code ?? job.task_status, message: job.message ?? "" };
      const detail = detailOf(`${fault.code}:`, fault.message);
      return { kind: "failed", code: failureOf(fault), detail, usage };
    }
    case "UNKNOWN": // not there any more, or not there yet
      return { kind: "missing" };
    default: // PENDING, RUNNING, and whatever else comes
      return { kind: "waiting" };
  }
}

function failureOf(fault: Fault): FailureCode {
  const verdict = verdictOf(fault);
  return verdict === undefined || verdict === "throttled" ? "vendor_failed" : verdict;
}

function modelOf(settings: DashScopeSettings, request: HappyhorseRequest): string {
  return `${vendorModelOf(settings, request)}-${suffixes[request.mode]}`;
}

function promptOf({ namesImages }: DashScopeSettings, request: HappyhorseRequest): string | null {
  return namesImages ? withImagesNamed(request) : request.prompt;
}
