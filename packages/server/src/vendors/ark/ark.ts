import assert from "node:assert";
import type { ModelRequest, Sd2Request } from "../../models/request.ts";
import { type Answer, call } from "../call.ts";
import type {
  CallbackHint,
  LostJob,
  Sighting,
  SubmitResult,
  Vendor,
  VendorJob,
} from "../vendor.ts";
import { failureOf } from "./errors.ts";
import {
  type ArkJob,
  createdSchema,
  errorSchema,
  jobSchema,
  listSchema,
  renderCreate,
} from "./wire.ts";

export interface ArkSettings {
  baseUrl: string;
  apiKey: string;
  models: Readonly<Record<Sd2Request["model"], string>>;
  submitMsMax: number;
}

const lookMsMax = 10_000;
const lostWindowMs = 30_000; // how far Ark's clock and ours, plus the call itself, may be apart

export function createArk(settings: ArkSettings): Vendor {
  const tasksUrl = `${settings.baseUrl}/contents/generations/tasks`;
  const get = (url: string) =>
    call({ method: "GET", url, key: settings.apiKey, totalMsMax: lookMsMax });

  async function list(query: URLSearchParams): Promise<ArkJob[] | "unavailable"> {
    const answer = await get(`${tasksUrl}?${query}`);
    if (answer.kind !== "answered" || answer.status !== 200) return "unavailable";
    const parsed = listSchema.safeParse(answer.json);
    return parsed.success ? parsed.data.items : "unavailable";
  }

  return {
    async submit(job: VendorJob): Promise<SubmitResult> {
      const answer = await call({
        method: "POST",
        url: tasksUrl,
        key: settings.apiKey,
        body: renderCreate(job, sd2Of(job), settings.models[sd2Of(job).model]),
        totalMsMax: settings.submitMsMax,
      });
      return readSubmit(answer);
    },

    async look(jobId: string): Promise<Sighting> {
      const answer = await get(`${tasksUrl}/${encodeURIComponent(jobId)}`);
      if (answer.kind !== "answered") return { kind: "unavailable", detail: answer.detail };
      if (answer.status === 404) return { kind: "missing" };
      const parsed = jobSchema.safeParse(answer.json);
      if (answer.status !== 200 || !parsed.success || parsed.data.id !== jobId)
        return { kind: "unavailable", detail: `status ${answer.status}` };
      return readJob(parsed.data);
    },

    async lookAtMany(jobIds: string[]): Promise<Map<string, Sighting> | "unavailable"> {
      const query = new URLSearchParams({ page_num: "1", page_size: String(jobIds.length) });
      for (const jobId of jobIds) query.append("filter.task_ids", jobId);
      const jobs = await list(query);
      if (jobs === "unavailable") return jobs;
      const seen = new Map(jobs.map((job) => [job.id, readJob(job)]));
      return new Map(jobIds.map((jobId) => [jobId, seen.get(jobId) ?? { kind: "missing" }]));
    },

    async findLost(lost: LostJob): Promise<string[] | "unavailable"> {
      const model = settings.models[sd2Of(lost).model];
      const query = new URLSearchParams({
        page_num: "1",
        page_size: "500",
        "filter.model": model,
      });
      const jobs = await list(query);
      if (jobs === "unavailable") return jobs;
      const isNear = (job: ArkJob) =>
        job.created_at !== undefined &&
        Math.abs(job.created_at * 1000 - lost.submittedAt.getTime()) < lostWindowMs;
      return jobs
        .filter((job) => job.safety_identifier === lost.endUser && isNear(job))
        .map((job) => job.id);
    },

    readCallback(body: unknown): CallbackHint | null {
      const parsed = jobSchema.safeParse(body);
      if (!parsed.success) return null;
      return { jobId: parsed.data.id, isOver: readJob(parsed.data).kind !== "waiting" };
    },
  };
}

function sd2Of({ request }: { request: ModelRequest }): Sd2Request {
  assert(request.model === "sd2" || request.model === "sd2-fast", "Ark serves sd2 and sd2-fast");
  return request;
}

function readSubmit(answer: Answer): SubmitResult {
  if (answer.kind === "unsent") return { kind: "unavailable", detail: answer.detail };
  if (answer.kind === "lost") return { kind: "unknown", detail: answer.detail };
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const created = createdSchema.safeParse(answer.json);
    if (created.success) return { kind: "accepted", jobId: created.data.id };
    return { kind: "unknown", detail: `status ${status} without an id` };
  }
  const fault = errorSchema.safeParse(answer.json);
  if (status >= 500 || !fault.success) return { kind: "unknown", detail: `status ${status}` };
  const { code, message } = fault.data.error;
  const detail = `${status} ${code}: ${message}`;
  const failure = failureOf(code);
  if (status === 429 && failure === "vendor_failed")
    return { kind: "throttled", retryAfterMs: answer.retryAfterMs, detail };
  return { kind: "refused", code: failure, detail };
}

function readJob(job: ArkJob): Sighting {
  switch (job.status) {
    case "succeeded": {
      const mediaUrl = job.content?.video_url;
      if (mediaUrl) return { kind: "succeeded", mediaUrl };
      return { kind: "failed", code: "output_unusable", detail: "succeeded without a link" };
    }
    case "failed":
    case "expired":
    case "cancelled": {
      const fault = job.error ?? job.failure_reason;
      const detail = fault ? `${fault.code}: ${fault.message}` : job.status;
      return { kind: "failed", code: failureOf(fault?.code ?? ""), detail };
    }
    default: // queued, running, and whatever else an open vocabulary brings
      return { kind: "waiting" };
  }
}
