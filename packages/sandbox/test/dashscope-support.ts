import { z } from "zod";
import type { SandboxConfig } from "../src/config.ts";
import { clientOf, sandboxForTest, until } from "./support.ts";

export const dashScopeKey = "a-dashscope-key-for-tests";
export const createPath = "/dashscope/api/v1/services/aigc/video-generation/video-synthesis";
export const tasksPath = "/dashscope/api/v1/tasks";
export const t2v = "happyhorse-1.1-t2v";
export const asynchronous = { "x-dashscope-async": "enable" };

const outputSchema = z.looseObject({
  task_id: z.string(),
  task_status: z.string(),
  video_url: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});
const answerSchema = z.looseObject({ request_id: z.uuid(), output: outputSchema });

/** A sandbox that is spoken to as DashScope. */
export async function dashscopeSandbox(changes: Partial<SandboxConfig> = {}, clock?: () => number) {
  const sandbox = await sandboxForTest({ dashScopeKey, ...changes }, clock);
  const { call } = clientOf(sandbox.url, dashScopeKey);
  const post = (body: unknown, headers: object = asynchronous) =>
    call("POST", createPath, body, headers);
  const create = (prompt: string, parameters: object = {}) =>
    post({ model: t2v, input: { prompt }, parameters: { resolution: "720P", ...parameters } });
  const accepted = async (body: unknown) => {
    const answer = await post(body);
    if (answer.status !== 200) throw new Error(`not created: ${JSON.stringify(answer)}`);
    return answerSchema.parse(answer.body).output.task_id;
  };
  const get = async (id: string) =>
    answerSchema.parse((await call("GET", `${tasksPath}/${id}`)).body);
  return {
    ...sandbox,
    call,
    post,
    create,
    accepted,
    created: (prompt: string, parameters: object = {}) =>
      accepted({
        model: t2v,
        input: { prompt },
        parameters: { resolution: "720P", ...parameters },
      }),
    get,
    list: (query = "") => call("GET", `${tasksPath}${query}`),
    cancel: (id: string) => call("POST", `${tasksPath}/${id}/cancel`),
    reaches: (id: string, status: string) =>
      until(`${id} is ${status}`, async () => {
        const task = await get(id);
        return task.output.task_status === status ? task : undefined;
      }),
  };
}

export type DashScopeSandbox = Awaited<ReturnType<typeof dashscopeSandbox>>;
