import assert from "node:assert";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { ModelRequest } from "../../models/request.ts";
import { isSd2Request, type Sd2Request } from "../../models/sd2-family.ts";
import { call } from "../call.ts";
import { defineVendor, milliseconds, perSecond, vendorAccountSettings } from "../define-vendor.ts";
import { detailOf } from "../detail.ts";
import { readRefusal } from "../read-refusal.ts";
import { readUsage } from "../read-usage.ts";
import type { PollResult, SeenJob, Vendor, VendorJobs } from "../vendor.ts";
import { vendorModelOf } from "../vendor-model.ts";
import { isLink, timeOr } from "../wire-values.ts";
import { verdictOf } from "./errors.ts";
import { createSharedList } from "./shared-list.ts";
import {
  type ArkJob,
  createdSchema,
  errorSchema,
  expiryOf,
  jobSchema,
  listSchema,
  renderCreate,
} from "./wire.ts";

export interface ArkSettings {
  baseUrl: string;
  apiKey: string;
  models: Readonly<Partial<Record<string, string>>>;
  submitMsMax: number;
  /** Jobs asked about in the one list call per second that Ark allows: their ids must fit into a URL. */
  pollsPerSecond: number;
  lostMsMax: number;
}

export const ark = defineVendor({
  kind: "ark",
  settings: z.strictObject({
    ...vendorAccountSettings({
      sd2: "dreamina-seedance-2-0-260128",
      "sd2-fast": "dreamina-seedance-2-0-fast-260128",
    }),
    submitMsMax: milliseconds.default(15_000),
    pollsPerSecond: perSecond.default(100),
    /** It belongs to the project of Ark's asset library: it knows assets by their ids there. */
    hasAssets: z.boolean().default(false),
    lostMsMax: milliseconds.default(60_000),
  }),
  open: createArk,
  freeCall: (settings) => ({
    url: `${tasksUrl(settings)}?page_num=1&page_size=1`,
    headers: headersOf(settings),
  }),
  knowsAssets: ({ hasAssets }) => hasAssets,
});

const queryMsMax = 10_000;
const listBytesMax = 4 * 1024 * 1024;
const lostWindowMs = 30_000; // how far Ark's clock and ours, plus the call itself, may be apart
const allPagesMax = 100;
const lostPages = { pageSize: 500, pagesMax: 10, pageIntervalMs: 1_000 };

export function createArk(settings: ArkSettings): Vendor {
  return {
    takesFiles: false,
    imageRulesOf: () => null,
    memoryBytesOf: () => 0,
    submitMsMax: settings.submitMsMax,
    jobs: createJobs(settings),
    modelOf: (request) => vendorModelOf(settings, request),
    async submit(job) {
      const answer = await call({
        method: "POST",
        url: tasksUrl(settings),
        headers: headersOf(settings),
        body: renderCreate(job, sd2Of(job), vendorModelOf(settings, job.request)),
        totalMsMax: settings.submitMsMax,
      });
      const isAnswered = answer.kind === "answered";
      const isGood = isAnswered && answer.status >= 200 && answer.status < 300;
      const created = isGood ? createdSchema.safeParse(answer.json).data : undefined;
      if (created) return { kind: "accepted", jobId: created.id };
      const fault = isAnswered ? errorSchema.safeParse(answer.json).data?.error : undefined;
      return readRefusal(answer, fault ?? null, verdictOf);
    },
  };
}

function createJobs(settings: ArkSettings): VendorJobs {
  const headers = headersOf(settings);
  const jobUrl = (jobId: string) => `${tasksUrl(settings)}/${encodeURIComponent(jobId)}`;
  const { pageSize } = lostPages;
  const listBackTo = createSharedList(
    (model, page) => list(settings, page, pageSize, [["filter.model", model]]),
    { ...lostPages, timeOf: createdMs },
  );
  return {
    pollsPerSecond: settings.pollsPerSecond,
    matchLostBy: "end user",
    lostMsMax: settings.lostMsMax,

    async poll(jobId) {
      const url = jobUrl(jobId);
      const answer = await call({ method: "GET", url, headers, totalMsMax: queryMsMax });
      if (answer.kind !== "answered") return { kind: "unavailable", detail: answer.detail };
      if (answer.status === 404) return { kind: "missing" };
      const parsed = jobSchema.safeParse(answer.json);
      if (answer.status !== 200 || !parsed.success || parsed.data.id !== jobId)
        return { kind: "unavailable", detail: `status ${answer.status}` };
      return readJob(parsed.data);
    },

    async pollMany(jobIds) {
      const ids = jobIds.map((jobId) => ["filter.task_ids", jobId] as const);
      const listed = await list(settings, 1, jobIds.length, ids);
      if (listed === "unavailable") return listed;
      const seen = new Map(listed.map((job) => [job.id, readJob(job)]));
      return new Map(jobIds.map((jobId) => [jobId, seen.get(jobId) ?? { kind: "missing" }]));
    },

    async findLost(lost) {
      const submittedAt = lost.submittedAt.getTime();
      const listed = await listBackTo(
        vendorModelOf(settings, lost.request),
        submittedAt - lostWindowMs,
      );
      if (listed === "unavailable") return listed;
      const isNear = (job: ArkJob) => Math.abs(createdMs(job) - submittedAt) < lostWindowMs;
      const found = listed.filter((job) => job.safety_identifier === lost.endUser && isNear(job));
      return [...new Set(found.map((job) => job.id))]; // pages move on while others create
    },

    listSince: (since, taken) => listSince(settings, since, taken),

    async cancel(jobId) {
      const url = jobUrl(jobId);
      await call({ method: "DELETE", url, headers, totalMsMax: queryMsMax }); // only what is queued
    },

    readCallback(body) {
      const parsed = jobSchema.safeParse(body);
      if (!parsed.success) return null;
      return { jobId: parsed.data.id, isOver: readJob(parsed.data).kind !== "waiting" };
    },
  };
}

async function list(
  settings: ArkSettings,
  page: number,
  pageSize: number,
  filters: (readonly [string, string])[],
): Promise<ArkJob[] | "unavailable"> {
  const query = new URLSearchParams({ page_num: String(page), page_size: String(pageSize) });
  for (const [name, value] of filters) query.append(name, value);
  const answer = await call({
    method: "GET",
    url: `${tasksUrl(settings)}?${query}`,
    headers: headersOf(settings),
    totalMsMax: queryMsMax,
    answerBytesMax: listBytesMax,
  });
  if (answer.kind !== "answered" || answer.status !== 200) return "unavailable";
  return listSchema.safeParse(answer.json).data?.items ?? "unavailable";
}

/** Pages until one is older than the moment; half a list would be none. */
async function listSince(
  settings: ArkSettings,
  since: Date,
  taken: ReadonlySet<string>,
): Promise<SeenJob[] | "unavailable"> {
  const seen = new Map<string, ArkJob>(); // pages move on while others create
  for (let page = 1; page <= allPagesMax; page++) {
    if (page > 1) await pause(lostPages.pageIntervalMs);
    const listed = await list(settings, page, lostPages.pageSize, []);
    if (listed === "unavailable") return listed;
    const younger = listed.filter((job) => !(createdMs(job) < since.getTime()));
    for (const job of younger) if (!taken.has(job.id)) seen.set(job.id, job);
    if (listed.length < lostPages.pageSize || younger.length < listed.length)
      return [...seen.values()].map((job) => seenJobOf(settings, job));
  }
  return "unavailable";
}

function seenJobOf(settings: ArkSettings, job: ArkJob): SeenJob {
  return {
    jobId: job.id,
    createdAt: timeOr(createdMs(job), new Date()), // without a time it may be anybody's
    isOver: readJob(job).kind !== "waiting",
    endUser: job.safety_identifier ?? null,
    expiresAt: expiryOf(job),
    isFor: (request) =>
      isSd2Request(request) && (job.model ?? "") === vendorModelOf(settings, request)
        ? "unknown"
        : false,
  };
}

function tasksUrl({ baseUrl }: ArkSettings): string {
  return `${baseUrl}/contents/generations/tasks`;
}

function headersOf({ apiKey }: ArkSettings) {
  return { authorization: `Bearer ${apiKey}` };
}

function sd2Of({ request }: { request: ModelRequest }): Sd2Request {
  assert(isSd2Request(request), "Ark serves sd2 and sd2-fast");
  return request;
}

/** A job without a time is from no moment. */
function createdMs(job: ArkJob): number {
  return (job.created_at ?? Number.NaN) * 1000;
}

function readJob(job: ArkJob): PollResult {
  const fault = job.error ?? job.failure_reason ?? { code: job.status, message: "" };
  const detail = detailOf(`${fault.code}:`, fault.message);
  const usage = readUsage(job.usage);
  switch (job.status) {
    case "succeeded": {
      const mediaUrl = job.content?.video_url;
      if (isLink(mediaUrl)) return { kind: "succeeded", mediaUrl, usage };
      return {
        kind: "failed",
        code: "output_unusable",
        detail: "succeeded without a link",
        usage,
      };
    }
    case "failed":
    case "cancelled": {
      const verdict = verdictOf(fault) ?? "vendor_failed";
      const code = verdict === "throttled" ? "vendor_failed" : verdict;
      return { kind: "failed", code, detail, usage };
    }
    case "expired":
      return { kind: "failed", code: "task_expired", detail, usage };
    default: // queued, running, and whatever else an open vocabulary brings
      return { kind: "waiting" };
  }
}
