import { z } from "zod";
import { jobStatuses } from "../../kit/job.ts";
import type { JobStore } from "../../kit/job-store.ts";
import type { ArkJob } from "./ark-job.ts";
import { invalidParameter } from "./errors.ts";

const page = z.coerce.number().int().min(1).max(500);

const querySchema = z.object({
  page_num: page.default(1),
  page_size: page.default(20),
  "filter.status": z.enum(jobStatuses).optional(),
  "filter.task_ids": z.union([z.string().transform((id) => [id]), z.array(z.string())]).optional(),
  "filter.model": z.string().optional(),
  "filter.service_tier": z.string().optional(),
});

/** One page of the matching jobs, newest first. Throws ArkError. */
export function listJobs(
  store: JobStore<ArkJob>,
  query: unknown,
): { total: number; jobs: ArkJob[] } {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalidParameter(
      issue?.path.map(String).join(".") ?? "query",
      issue?.message ?? "unusable",
    );
  }
  const filter = parsed.data;
  const ids = filter["filter.task_ids"] && new Set(filter["filter.task_ids"]);
  const matching = [...store.all()].filter(
    (job) =>
      (filter["filter.status"] === undefined || job.status === filter["filter.status"]) &&
      (ids === undefined || ids.has(job.id)) &&
      (filter["filter.model"] === undefined || job.request.model === filter["filter.model"]) &&
      (filter["filter.service_tier"] ?? "default") === "default",
  );
  const start = (filter.page_num - 1) * filter.page_size;
  const jobs = matching.reverse().slice(start, start + filter.page_size);
  return { total: matching.length, jobs };
}
