import { z } from "zod";
import { isOpen } from "../../kit/job.ts";
import type { DashScopeJob } from "./dashscope-job.ts";
import { statusOf, taskStatuses } from "./describe-task.ts";
import { invalidParameter } from "./errors.ts";
import { readLocalTime } from "./local-time.ts";

const dayMs = 86_400_000;
const region = "cn-beijing";
const apiKeyId = "1";
const accountId = "1000000000000001";

const localTime = z.string().transform((text, context) => {
  const atMs = readLocalTime(text);
  if (atMs !== undefined) return atMs;
  context.addIssue("must be a time like 20260101080000");
  return z.NEVER;
});

const querySchema = z.object({
  task_id: z.string().optional(),
  start_time: localTime.optional(),
  end_time: localTime.optional(),
  model_name: z.string().optional(),
  api_key_id: z.string().optional(),
  region: z.string().optional(),
  status: z.enum(taskStatuses).optional(),
  page_no: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(10),
});

type Query = z.output<typeof querySchema>;

/** One page of the tasks that were submitted in a stretch of at most a day, newest first. */
export function listTasks(jobs: Iterable<DashScopeJob>, query: unknown, nowMs: number) {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalidParameter(`${issue?.path.map(String).join(".")}: ${issue?.message}`);
  }
  const filter = parsed.data;
  const { startMs, endMs } = stretchOf(filter, nowMs);
  const matching = [...jobs].filter(
    (job) => job.createdAtMs >= startMs && job.createdAtMs < endMs && isMeant(filter, job),
  );
  const { page_no, page_size } = filter;
  const start = (page_no - 1) * page_size;
  return {
    total: matching.length,
    data: matching
      .toReversed()
      .slice(start, start + page_size)
      .map(describeInList),
    total_page: Math.ceil(matching.length / page_size),
    page_no,
    page_size,
  };
}

/** Without any time, the last 24 hours; with one, the 24 hours from or until it. */
function stretchOf({ start_time, end_time }: Query, nowMs: number) {
  // the second that is named is part of the stretch
  const endMs = end_time === undefined ? (start_time ?? nowMs - dayMs) + dayMs : end_time;
  const startMs = start_time ?? endMs - dayMs;
  if (startMs > endMs) throw invalidParameter("start_time must not be after end_time");
  if (endMs - startMs > dayMs) {
    throw invalidParameter("start_time and end_time must not be more than 24 hours apart");
  }
  return { startMs, endMs: endMs + 1_000 };
}

function isMeant(filter: Query, job: DashScopeJob): boolean {
  return (
    (filter.task_id === undefined || filter.task_id === job.id) &&
    (filter.model_name === undefined || filter.model_name === job.request.model) &&
    (filter.status === undefined || filter.status === statusOf(job)) &&
    (filter.region ?? region) === region &&
    (filter.api_key_id ?? apiKeyId) === apiKeyId
  );
}

/**
 * Describes a job in a list, unlike in the response to get: times in milliseconds since 1970, and
 * no prompt.
 */
function describeInList(job: DashScopeJob) {
  const { model, requestId } = job.request;
  return {
    api_key_id: apiKeyId,
    caller_parent_id: accountId,
    caller_uid: accountId,
    ...(job.error && { code: job.error.code, message: job.error.message }),
    gmt_create: job.createdAtMs,
    ...(job.startedAtMs !== null && { start_time: job.startedAtMs }),
    ...(!isOpen(job) && { end_time: job.updatedAtMs }),
    model_name: model,
    region,
    request_id: requestId,
    status: statusOf(job),
    task_id: job.id,
    user_api_unique_key: `apikey:v1:aigc:video-generation:video-synthesis:${model}`,
  };
}
