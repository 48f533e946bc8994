import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import type { GenerationTask } from "../../src/generation/schema.ts";

/** Only what hangs reaches it. */
const endMsMax = 150_000;

/** A caller of the API, over HTTP like any other. */
export function createClient(apiUrl: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  async function get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${apiUrl}/api/v1/${path}`, { headers });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }

  const query = (taskId: string) => get<GenerationTask>(`jobs/queryTask?taskId=${taskId}`);
  return {
    query,
    credits: () => get<{ credits: number; availableCredits: number }>("account/credits"),
    async create(
      inputs: Record<string, unknown>,
      callBackUrl?: string,
      model = "sd2",
    ): Promise<string> {
      const response = await fetch(`${apiUrl}/api/v1/jobs/createTask`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model, inputs, callBackUrl }),
      });
      const body = await response.text();
      if (!response.ok) throw new Error(`createTask answered ${response.status}: ${body}`);
      return (JSON.parse(body) as { taskId: string }).taskId;
    },
    /** Asks until the task is terminal. */
    async finished(taskId: string, timeoutMs = endMsMax): Promise<GenerationTask> {
      let task = await query(taskId);
      await waitUntil(
        `task ${taskId} is terminal`,
        async () => {
          task = await query(taskId);
          return task.completeTime !== null;
        },
        { timeoutMs, intervalMs: 100 },
      );
      return task;
    },
  };
}
