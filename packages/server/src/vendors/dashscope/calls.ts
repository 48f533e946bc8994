import { call } from "../call.ts";
import type { PollResult } from "../vendor.ts";
import { type DashScopeJob, jobSchema, type ListedJob, listSchema, renderTime } from "./wire.ts";

type Unseen = Extract<PollResult, { kind: "missing" | "unavailable" }>;

/** DashScope's calls about jobs. */
export interface DashScopeCalls {
  headers: Record<string, string>;
  get(jobId: string): Promise<{ kind: "found"; job: DashScopeJob } | Unseen>;
  /** Every job of a model from a stretch of time; half a list would be none. */
  list(model: string, time: { from: number; to: number }): Promise<ListedJob[] | "unavailable">;
  cancel(jobId: string): Promise<void>;
}

const callMsMax = 10_000;
const pageSize = 100;
const pagesMax = 10;

export function openCalls({
  baseUrl,
  apiKey,
}: {
  baseUrl: string;
  apiKey: string;
}): DashScopeCalls {
  const headers = { authorization: `Bearer ${apiKey}` };
  const send = (method: "GET" | "POST", path: string) =>
    call({ method, url: `${baseUrl}/tasks${path}`, headers, totalMsMax: callMsMax });

  async function readPage(query: Record<string, string>) {
    const answer = await send("GET", `?${new URLSearchParams(query)}`);
    if (answer.kind !== "answered" || answer.status !== 200) return null;
    return listSchema.safeParse(answer.json).data ?? null;
  }

  return {
    headers,

    async get(jobId) {
      const answer = await send("GET", `/${encodeURIComponent(jobId)}`);
      if (answer.kind !== "answered") return { kind: "unavailable", detail: answer.detail };
      if (answer.status === 404) return { kind: "missing" };
      const { data } = jobSchema.safeParse(answer.json);
      if (answer.status === 200 && data?.output.task_id === jobId)
        return { kind: "found", job: { ...data.output, usage: data.usage } };
      return { kind: "unavailable", detail: `status ${answer.status}` };
    },

    async list(model, { from, to }) {
      const query = {
        model_name: model,
        start_time: renderTime(from),
        end_time: renderTime(to),
        page_size: String(pageSize),
      };
      const jobs: ListedJob[] = [];
      for (let number = 1; number <= pagesMax; number++) {
        const page = await readPage({ ...query, page_no: String(number) });
        if (page === null) return "unavailable";
        jobs.push(...page.data.filter((job) => (job.model_name ?? model) === model));
        const isLast = page.total_page ? number >= page.total_page : page.data.length < pageSize;
        if (isLast || page.data.length === 0) return jobs;
      }
      return "unavailable";
    },

    async cancel(jobId) {
      await send("POST", `/${encodeURIComponent(jobId)}/cancel`);
    },
  };
}
