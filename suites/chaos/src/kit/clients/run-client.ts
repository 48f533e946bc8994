import { setTimeout as pause } from "node:timers/promises";
import type { OpenedAccount } from "@zoetrope/dev/open-accounts.ts";
import { isTerminal } from "../../check/statuses.ts";
import { type Answer, callApi } from "../call-api.ts";
import type { ClientLine, TaskView } from "../client-log.ts";
import type { LineLog } from "../json-lines.ts";
import type { TaskRequest } from "./task-request.ts";

/** The state that all clients share. */
export interface Shared {
  /** Every request goes to any of them. */
  apiUrls: readonly string[];
  receiverUrl: string;
  log: LineLog<ClientLine>;
  tally: Tally;
  /** Ends all clients. */
  stop: AbortSignal;
  /** Between two polls of a task, if not as usual. */
  pollMs?: number;
}

export interface Tally {
  /** Requests to createTask, repeats included. */
  sends: number;
  unanswered: number;
  serverErrors: number;
  limited: number;
  /** Requests by how they ended for the client. */
  accepted: number;
  refusedAsPlanned: number;
  refusedOtherwise: number;
  gaveUp: number;
  /** Tasks that a poll saw end. */
  ended: number;
}

export function newTally(): Tally {
  const sends = { sends: 0, unanswered: 0, serverErrors: 0, limited: 0 };
  const requests = { accepted: 0, refusedAsPlanned: 0, refusedOtherwise: 0, gaveUp: 0 };
  return { ...sends, ...requests, ended: 0 };
}

export interface SentTask {
  account: OpenedAccount;
  request: TaskRequest;
  taskId: string;
}

const retryMs = 500;
const limitWaitMs = 4_000;
const pollMsUsual = 1_200;

/** Sends an account's requests one after the other and polls each task to its end. */
export async function runClient(
  shared: Shared,
  account: OpenedAccount,
  requests: Iterable<TaskRequest> | AsyncIterable<TaskRequest>,
): Promise<SentTask[]> {
  const sent: SentTask[] = [];
  const open = new Set<Promise<void>>();
  for await (const request of requests) {
    const taskId = await placeRequest(shared, account, request, () => oneOf(open));
    if (taskId === null) continue;
    sent.push({ account, request, taskId });
    const polling = pollToEnd(shared, { account, request, taskId }).finally(() =>
      open.delete(polling),
    );
    open.add(polling);
  }
  await Promise.all(open);
  return sent;
}

async function oneOf(open: Set<Promise<void>>): Promise<void> {
  await Promise.race([...open, pause(limitWaitMs)]);
}

/** Repeats a request under its key until the service has decided. */
async function placeRequest(
  shared: Shared,
  account: OpenedAccount,
  request: TaskRequest,
  untilOneEnds: () => Promise<void>,
): Promise<string | null> {
  const { log, tally, stop } = shared;
  const { key, outputResolution, seconds, directives, sourceUrl } = request;
  const { accountId } = account;
  const model = sourceUrl === null ? "sd2" : "upscale";
  const prompt = sourceUrl ?? request.prompt;
  const what = { model, outputResolution, seconds, prompt, directives };
  log.write({
    event: "requested",
    accountId,
    key,
    ...what,
    callbackUrl: callbackOf(shared, request),
  });
  while (!stop.aborted) {
    const copies = Array.from({ length: request.isSentTwice ? 2 : 1 }, () =>
      sendRequest(shared, account, request),
    );
    const answers = (await Promise.all(copies)).filter((answer) => answer !== "none");
    const accepted = answers.find((answer) => answer.status === 200);
    if (accepted !== undefined) {
      tally.accepted += 1;
      return taskIdIn(accepted.body);
    }
    const refused = answers.find(({ status }) => !isUndecided(status));
    if (refused !== undefined) {
      const isPlanned = refused.status === 402 && !request.isAffordable;
      if (isPlanned) tally.refusedAsPlanned += 1;
      else tally.refusedOtherwise += 1;
      return null;
    }
    if (answers.some((answer) => answer.status === 429)) await untilOneEnds();
    else await pause(retryMs * (1 + Math.random()));
  }
  tally.gaveUp += 1;
  return null;
}

function callbackOf({ receiverUrl }: Shared, { behaviour, key }: TaskRequest): string | null {
  return behaviour === null ? null : `${receiverUrl}/hooks/${behaviour}/${key}`;
}

/** One request. */
export async function sendRequest(
  shared: Shared,
  account: OpenedAccount,
  request: TaskRequest,
): Promise<Answer> {
  const { log, tally } = shared;
  const callBackUrl = callbackOf(shared, request);
  const answer = await callApi(anyUrl(shared), {
    method: "POST",
    path: request.sourceUrl === null ? "/api/v1/jobs/createTask" : "/api/v1/upscale/create",
    key: account.key,
    idempotencyKey: request.key,
    body: { ...bodyOf(request), callBackUrl: callBackUrl ?? undefined },
  });
  tally.sends += 1;
  if (answer === "none") {
    tally.unanswered += 1;
    return answer;
  }
  const { status, body } = answer;
  if (status >= 500) tally.serverErrors += 1;
  if (status === 429) tally.limited += 1;
  const { accountId } = account;
  const taskId = status === 200 ? taskIdIn(body) : null;
  const { key } = request;
  log.write({ event: "answered", at: Date.now(), accountId, key, status, taskId });
  return answer;
}

function bodyOf({ sourceUrl, prompt, outputResolution, seconds }: TaskRequest): object {
  if (sourceUrl !== null)
    return { source: { type: "url", url: sourceUrl }, targetResolution: outputResolution };
  const generateAudio = false; // half the work for the vendor's renderer
  const inputs = { prompt, outputResolution, duration: `${seconds}s`, generateAudio };
  return { model: "sd2", inputs };
}

/** Polls until the task has ended and logs every change. */
async function pollToEnd(shared: Shared, { account, request, taskId }: SentTask): Promise<void> {
  const { log, tally, stop, pollMs = pollMsUsual } = shared;
  const { accountId } = account;
  let before = "";
  while (!stop.aborted) {
    await pause(pollMs * (0.7 + 0.6 * Math.random()));
    const answer = await queryTask(shared, account, { request, taskId });
    if (answer === "none" || isUndecided(answer.status)) continue;
    const task = answer.body as TaskView;
    // An upscale says the same in small letters.
    const status = answer.status === 200 ? task.status.toUpperCase() : `HTTP ${answer.status}`;
    if (status !== before) log.write({ event: "seen", at: Date.now(), accountId, taskId, status });
    before = status;
    if (!isTerminal(status)) continue;
    tally.ended += 1;
    return log.write({ event: "ended", at: Date.now(), accountId, taskId, task });
  }
}

/** Queries a task as the account, whose task it need not be. */
export function queryTask(
  shared: Shared,
  account: OpenedAccount,
  { request, taskId }: Pick<SentTask, "request" | "taskId">,
) {
  const query = request.sourceUrl === null ? "jobs/queryTask" : "upscale/query";
  const path = `/api/v1/${query}?taskId=${taskId}`;
  return callApi(anyUrl(shared), { method: "GET", path, key: account.key });
}

/**
 * Whether the request is to be sent again, because the response says nothing about the task: 408 is
 * the response of a frozen process when it wakes.
 */
function isUndecided(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function anyUrl({ apiUrls }: Shared): string {
  return apiUrls[Math.floor(Math.random() * apiUrls.length)] ?? "";
}

function taskIdIn(body: unknown): string {
  const isObject = typeof body === "object" && body !== null;
  return isObject && "taskId" in body ? String(body.taskId) : "missing";
}
