import assert from "node:assert";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { ask, type Caller } from "../../kit/call-api.ts";
import { fetchAndHash } from "../../kit/fetch-and-hash.ts";

export interface Upscale {
  status: string;
  progress: number;
  creditsConsumed: number | null;
  result: { url: string } | null;
  error: { code: string } | null;
}

const endMsMax = 900_000;

export async function createUpscale(
  caller: Caller,
  url: string,
  targetResolution: "1080p" | "4k",
): Promise<string> {
  const body = { source: { type: "url", url }, targetResolution };
  return (await ask<{ taskId: string }>(caller, "/api/v1/upscale/create", body)).taskId;
}

function readUpscale(caller: Caller, taskId: string): Promise<Upscale> {
  return ask<Upscale>(caller, `/api/v1/upscale/query?taskId=${taskId}`);
}

/** Queries the upscale until it is as wanted; a fall of its progress on the way is an error. */
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
  return (await fetchAndHash(result.url)).sha256;
}

interface Transfer {
  kind: string;
  amount: number;
  taskId: string | null;
}

/** Returns the account's statement about a task, oldest first: `hold 15, raise 345, capture 360`. */
export async function readStatement(caller: Caller, taskId: string): Promise<string> {
  const { items } = await ask<{ items: Transfer[] }>(caller, "/api/v1/account/ledger?limit=100");
  const ours = items.filter((item) => item.taskId === taskId).reverse();
  return ours.map(({ kind, amount }) => `${kind} ${amount}`).join(", ");
}

export async function readHeld(caller: Caller): Promise<number> {
  const balance = await ask<{ credits: number; availableCredits: number }>(
    caller,
    "/api/v1/account/credits",
  );
  return balance.credits - balance.availableCredits;
}
