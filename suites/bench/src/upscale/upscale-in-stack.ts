import assert from "node:assert";
import { setTimeout as pause } from "node:timers/promises";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { request } from "undici";
import { watchCpu } from "../cpu-watch.ts";

const sampleEveryMs = 50;

/** One upscale from upscale/create to completed, and what its worker used for it, ffmpeg and all. */
export async function upscaleInStack(stack: Stack, key: string, url: string, secondsMax: number) {
  const cpu = watchCpu(stack.worker.pid);
  const endsAt = performance.now() + secondsMax * 1_000;
  const { taskId } = await call<{ taskId: string }>(stack, key, "create", {
    source: { type: "url", url },
    targetResolution: "1080p",
  });
  let processingAt: number | null = null;
  for (;;) {
    const task = await call<Task>(stack, key, `query?taskId=${taskId}`);
    const now = performance.now();
    assert(task.status !== "failed", JSON.stringify(task.error));
    if (task.status !== "validating") processingAt ??= now;
    if (task.status === "completed" && processingAt !== null)
      return {
        cpuSeconds: (await cpu.stop()).seconds,
        wallSeconds: (now - processingAt) / 1_000,
        bytes: await sizeOf(task.result?.url ?? ""),
      };
    assert(now < endsAt, `not completed after ${secondsMax} s`);
    await pause(sampleEveryMs);
  }
}

interface Task {
  status: "validating" | "processing" | "completed" | "failed";
  result: { url: string } | null;
  error: unknown;
}

async function call<Answer>(stack: Stack, key: string, path: string, body?: object) {
  const answer = await request(`${stack.apiUrl}/api/v1/upscale/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  assert(answer.statusCode === 200, `answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as Answer;
}

async function sizeOf(url: string): Promise<number> {
  const { headers, body } = await request(url, { method: "HEAD" });
  await body.dump();
  return Number(headers["content-length"]);
}
