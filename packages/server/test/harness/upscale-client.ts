import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import type { CreateUpscaleBody, UpscaleTask } from "../../src/upscale/schema.ts";

const endMsMax = 120_000;

/** A caller of the upscaler, over HTTP like any other. */
export function createUpscaleClient(apiUrl: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${apiUrl}/api/v1/upscale/${path}`, { headers, ...post });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Answer;
  }

  const query = (taskId: string) => ask<UpscaleTask>(`query?taskId=${taskId}`);
  return {
    query,
    async create(url: string, callBackUrl?: string): Promise<string> {
      const source = { type: "url", url } as const;
      const body: CreateUpscaleBody = { source, targetResolution: "1080p", callBackUrl };
      return (await ask<{ taskId: string }>("create", body)).taskId;
    },
    /** Asks until the task is over; gives every answer on the way, the last one last. */
    async follow(taskId: string): Promise<UpscaleTask[]> {
      const seen: UpscaleTask[] = [];
      const isOver = async () => {
        const task = await query(taskId);
        seen.push(task);
        return task.finishedAt !== null;
      };
      await waitUntil(`upscale ${taskId} is over`, isOver, {
        timeoutMs: endMsMax,
        intervalMs: 100,
      });
      return seen;
    },
  };
}
