import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { callApi } from "../../kit/call-api.ts";
import { readLines } from "../../kit/json-lines.ts";
import type { ReceivedRequest } from "../../kit/receiver/received-request.ts";
import type { Accepted } from "./load.ts";
import { numberIn } from "./requests.ts";

interface VendorLine {
  event: string;
  accepted?: boolean;
  jobId?: string | null;
  prompt?: string;
  callbackUrl?: string | null;
}

export interface Verdict {
  lost: string[];
  paidAndLost: string[];
  failedByUs: string[];
  stuck: string[];
}

interface Seen extends Accepted {
  status: string;
  error: unknown;
  url: string | null;
}

const atOnceMax = 8;

/** Judges the outcomes of the accepted tasks, queried from outside and compared with the vendor's journal. */
export async function judge(
  accepted: readonly Accepted[],
  sources: { apiUrl: string; receiverLog: string; vendorLog: string },
): Promise<Verdict> {
  const seen = await inParallel(atOnceMax, accepted, (task) => query(sources.apiUrl, task));
  const callbacks = new Set(
    (await readLines<ReceivedRequest>(sources.receiverLog)).map(({ path }) => path),
  );
  const isReachable = await inParallel(atOnceMax, seen, isThere);
  const jobs = jobsOf(await readLines<VendorLine>(sources.vendorLog), accepted);
  const verdict: Verdict = { lost: [], paidAndLost: [], failedByUs: [], stuck: [] };
  for (const [index, { taskId, request, status, error }] of seen.entries()) {
    const what = `${taskId} ${request.key} ${request.body["model"] ?? "upscale"} ${status} ${JSON.stringify(error)}`;
    const state = status.toUpperCase();
    const made = jobs.get(request.number) ?? 0;
    if (state.startsWith("HTTP")) verdict.lost.push(what);
    else if (state === "FAILED") verdict.failedByUs.push(what);
    else if (state !== "COMPLETED") verdict.stuck.push(what);
    else if (!callbacks.has(`/hooks/well/${request.key}`))
      verdict.lost.push(`${what}: its callback never arrived`);
    else if (isReachable[index] === false) verdict.lost.push(`${what}: its output is not there`);
    if (made > 1) verdict.paidAndLost.push(`${what}: the vendor made it ${made} times`);
    if (made > 0 && state === "FAILED")
      verdict.paidAndLost.push(`${what}: the vendor had taken it`);
  }
  return verdict;
}

/** Returns the number of jobs that the vendors accepted for each request. */
function jobsOf(lines: readonly VendorLine[], accepted: readonly Accepted[]): Map<number, number> {
  const numberOf = new Map(accepted.map(({ taskId, request }) => [taskId, request.number]));
  const jobs = new Map<number, number>();
  for (const { event, accepted: isTaken, prompt = "", callbackUrl } of lines) {
    if (event !== "create" || isTaken !== true) continue;
    const taskId = callbackUrl?.split("/").at(-2) ?? "";
    const number = numberIn(prompt) ?? numberOf.get(taskId);
    if (number !== undefined) jobs.set(number, (jobs.get(number) ?? 0) + 1);
  }
  return jobs;
}

async function query(apiUrl: string, task: Accepted): Promise<Seen> {
  const isUpscale = task.request.path === "/api/v1/upscale/create";
  const path = `/api/v1/${isUpscale ? "upscale/query" : "jobs/queryTask"}?taskId=${task.taskId}`;
  const answer = await callApi(apiUrl, { method: "GET", path, key: task.account.key });
  if (answer === "none" || answer.status !== 200)
    return {
      ...task,
      status: `HTTP ${answer === "none" ? 0 : answer.status}`,
      error: null,
      url: null,
    };
  const { status, error, output, result } = answer.body as {
    status: string;
    error: unknown;
    output?: { url: string }[] | null;
    result?: { url: string } | null;
  };
  return { ...task, status, error, url: output?.[0]?.url ?? result?.url ?? null };
}

async function isThere({ url }: Seen): Promise<boolean> {
  if (url === null) return true;
  const answer = await fetch(url).catch(() => null);
  const bytes = (await answer?.arrayBuffer())?.byteLength ?? 0;
  return answer?.status === 200 && bytes > 0;
}
