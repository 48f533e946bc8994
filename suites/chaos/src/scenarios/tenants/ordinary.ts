import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { isTerminal } from "../../check/statuses.ts";
import { type Call, callApi } from "../../kit/call-api.ts";

/** An ordinary account's measurements of the service. Times are in milliseconds. */
export interface Samples {
  create: number[];
  query: number[];
  video: number[];
  image: number[];
  tasks: { taskId: string; path: string; completedMs: number }[];
  errors: string[];
  lost: string[];
}

export function newSamples(): Samples {
  return { create: [], query: [], video: [], image: [], tasks: [], errors: [], lost: [] };
}

interface Ordinary {
  apiUrl: string;
  receiverUrl: string;
  account: OpenedAccount;
  everyMs: number;
  endMsMax: number;
}

interface TaskAnswer {
  taskId: string;
  status: string;
  errorCode: string | null;
  createTime: number;
  completeTime: number;
}

const pollMs = 400;
/** The maximum time of a response, which only a hanging request reaches: slow responses show in the ratio. */
const answerMsMax = 60_000;
const imageEvery = 4;
let requests = 0;

/** Creates tasks at a steady pace until stopped, and follows every task to its end. */
export async function runOrdinaryClient(
  client: Ordinary,
  samples: Samples,
  stop: AbortSignal,
): Promise<void> {
  const open = new Set<Promise<void>>();
  await pause(Math.random() * client.everyMs);
  while (!stop.aborted) {
    if (open.size < client.account.openTasksMax) {
      const making = makeOne(client, samples).finally(() => open.delete(making));
      open.add(making);
    }
    await pause(client.everyMs * (0.8 + 0.4 * Math.random()), undefined, { signal: stop }).catch(
      () => {},
    );
  }
  await Promise.all(open);
}

async function makeOne(client: Ordinary, samples: Samples): Promise<void> {
  const number = requests++;
  const isImage = number % imageEvery === 0;
  const path = `/hooks/well/tenant-${number}`;
  const inputs = isImage
    ? { prompt: "A quiet garden", resolution: "1k" }
    : { prompt: "A quiet garden", duration: "4s", generateAudio: false };
  const created = await call<{ taskId: string }>(client, samples, "create", {
    method: "POST",
    path: "/api/v1/jobs/createTask",
    key: client.account.key,
    body: {
      model: isImage ? "image-pro-2" : "sd2",
      inputs,
      callBackUrl: client.receiverUrl + path,
    },
  });
  if (created === null) return;
  const { taskId } = created;
  const givesUpAt = performance.now() + client.endMsMax;
  while (performance.now() < givesUpAt) {
    await pause(pollMs);
    const task = await call<TaskAnswer>(client, samples, "query", {
      method: "GET",
      key: client.account.key,
      path: `/api/v1/jobs/queryTask?taskId=${taskId}`,
    });
    if (task === null || !isTerminal(task.status)) continue;
    samples.tasks.push({ taskId, path, completedMs: task.completeTime });
    samples[isImage ? "image" : "video"].push(task.completeTime - task.createTime);
    if (task.status !== "COMPLETED") samples.lost.push(`${taskId} failed: ${task.errorCode}`);
    return;
  }
  samples.lost.push(`${taskId} was not over after ${client.endMsMax} ms`);
}

/** One request, timed. Whatever is not a 200 is an error: an ordinary account is below every limit. */
async function call<Answer>(
  { apiUrl }: Ordinary,
  samples: Samples,
  what: "create" | "query",
  request: Call,
): Promise<Answer | null> {
  const startedAt = performance.now();
  const answer = await callApi(apiUrl, { ...request, answerMsMax });
  samples[what].push(performance.now() - startedAt);
  if (answer !== "none" && answer.status === 200) return answer.body as Answer;
  const { code = "" } = answer === "none" ? {} : (answer.body as { code?: string });
  samples.errors.push(`${what}: ${answer === "none" ? "no answer" : `${answer.status} ${code}`}`);
  return null;
}
