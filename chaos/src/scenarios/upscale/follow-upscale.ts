import assert from "node:assert";
import { createHash } from "node:crypto";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { callApi } from "../../kit/load/call-api.ts";

export interface Caller {
  apiUrl: string;
  key: string;
}

export interface Upscale {
  status: string;
  progress: number;
  creditsConsumed: number | null;
  result: { url: string } | null;
  error: { code: string } | null;
}

const endMsMax = 900_000;

async function ask<Answer>({ apiUrl, key }: Caller, path: string, body?: object): Promise<Answer> {
  const call = body === undefined ? { method: "GET" as const } : { method: "POST" as const, body };
  const answer = await callApi(apiUrl, { ...call, path: `/api/v1/${path}`, key });
  assert(answer !== "none" && answer.status === 200, `${path}: ${JSON.stringify(answer)}`);
  return answer.body as Answer;
}

export async function createUpscale(
  caller: Caller,
  url: string,
  targetResolution: "1080p" | "4k",
): Promise<string> {
  const body = { source: { type: "url", url }, targetResolution };
  return (await ask<{ taskId: string }>(caller, "upscale/create", body)).taskId;
}

function readUpscale(caller: Caller, taskId: string): Promise<Upscale> {
  return ask<Upscale>(caller, `upscale/query?taskId=${taskId}`);
}

/** Asks until the upscale is as wanted; a fall of its progress on the way is an error. */
export async function until(
  caller: Caller,
  taskId: string,
  what: string,
  isSo: (task: Upscale) => boolean,
): Promise<Upscale> {
  let seen: Upscale | undefined;
  let fault: string | null = null;
  await waitUntil(
    what,
    async () => {
      const task = await readUpscale(caller, taskId);
      if (task.status !== "failed" && task.progress < (seen?.progress ?? 0))
        fault = `progress fell from ${seen?.progress} to ${task.progress}`;
      seen = task;
      return isSo(task) || fault !== null;
    },
    { timeoutMs: endMsMax, intervalMs: 50 },
  );
  assert(seen !== undefined && fault === null, fault ?? "nothing was seen");
  return seen;
}

export function untilCompleted(caller: Caller, taskId: string): Promise<Upscale> {
  return until(caller, taskId, "the upscale is over", ({ status, error }) => {
    assert(status !== "failed", JSON.stringify(error));
    return status === "completed";
  });
}

export async function hashResult({ result }: Upscale): Promise<string> {
  assert(result !== null, "completed without a result");
  const answer = await fetch(result.url);
  assert(answer.status === 200 && answer.body !== null, `the result answered ${answer.status}`);
  const hash = createHash("sha256");
  for await (const chunk of answer.body) hash.update(chunk);
  return hash.digest("hex");
}

interface Transfer {
  kind: string;
  amount: number;
  taskId: string | null;
}

/** What the account's statement says of a task, oldest first: `hold 15, raise 345, capture 360`. */
export async function readStatement(caller: Caller, taskId: string): Promise<string> {
  const { items } = await ask<{ items: Transfer[] }>(caller, "account/ledger?limit=100");
  const ours = items.filter((item) => item.taskId === taskId).reverse();
  return ours.map(({ kind, amount }) => `${kind} ${amount}`).join(", ");
}

export async function readHeld(caller: Caller): Promise<number> {
  const balance = await ask<{ credits: number; availableCredits: number }>(
    caller,
    "account/credits",
  );
  return balance.credits - balance.availableCredits;
}
