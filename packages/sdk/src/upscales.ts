import { newKey } from "./abort.ts";
import { type CreateOptions, creation, get } from "./calls.ts";
import { TaskFailedError, TimeoutError } from "./errors.ts";
import { type Followed, followTask, type WaitOptions, waitForTask } from "./follow-task.ts";
import type { CreateUpscaleAnswer } from "./generated.ts";
import { type Output, openOutput } from "./outputs.ts";
import { type FileLike, webUrlOf } from "./read-file.ts";
import { type FileMemory, uploadOnce } from "./take-files.ts";
import { type CallOptions, limitTime, sendForJson, type Transport } from "./transport.ts";
import type { TargetResolution, UpscaleTask } from "./types.ts";

export interface CreateUpscaleOptions extends CreateOptions {
  callBackUrl?: string | undefined;
}

export interface RunUpscaleOptions extends WaitOptions<UpscaleTask>, CreateUpscaleOptions {}

type Result = NonNullable<UpscaleTask["result"]>;
export type CompletedUpscale = UpscaleTask & { file: Result & Output };

const path = "/api/v1/upscale/query";

export function upscaleCalls(transport: Transport, memory: FileMemory) {
  const calls = {
    create: async (
      source: string | FileLike,
      targetResolution: TargetResolution,
      options: CreateUpscaleOptions = {},
    ): Promise<CreateUpscaleAnswer> => {
      const { callBackUrl } = options;
      const named = await takeSource(transport, memory, source, options);
      const body = { source: named, targetResolution, ...(callBackUrl ? { callBackUrl } : {}) };
      return sendForJson(transport, creation("/api/v1/upscale/create", body, options));
    },
    get: (taskId: string, options: CallOptions = {}): Promise<UpscaleTask> =>
      get(transport, path, { taskId }, options),
    wait: (taskId: string, options: WaitOptions<UpscaleTask> = {}): Promise<UpscaleTask> =>
      waitForTask(transport, upscale(taskId), options),
    stream: (taskId: string, options: CallOptions = {}): AsyncGenerator<UpscaleTask> =>
      followTask(transport, upscale(taskId), options),
    /** Creates an upscale, waits for its end and answers its file. Throws `TaskFailedError` if it failed. */
    run: async (
      source: string | FileLike,
      targetResolution: TargetResolution,
      options: RunUpscaleOptions = {},
    ): Promise<CompletedUpscale> => {
      const { callBackUrl, onProgress, timeoutMs, idempotencyKey = newKey() } = options;
      let taskId: string | null = null;
      const message = `The upscale is not over after ${timeoutMs} ms. It goes on: wait for it.`;
      const late = () => new TimeoutError(message, { taskId, idempotencyKey });
      const { signal, end } = limitTime(options, late);
      try {
        const creating = { callBackUrl, idempotencyKey, signal };
        ({ taskId } = await calls.create(source, targetResolution, creating));
        return calls.complete(await calls.wait(taskId, { signal, onProgress }));
      } finally {
        end();
      }
    },
    /** The file of an upscale that is over. Throws `TaskFailedError` if it failed. */
    complete: (task: UpscaleTask): CompletedUpscale => {
      if (task.result === null)
        throw new TaskFailedError(task, {
          code: task.error?.code ?? "not_over",
          message: task.error?.message ?? `Upscale ${task.taskId} is ${task.status}.`,
        });
      const renew = async (signal: AbortSignal | undefined) =>
        (await calls.get(task.taskId, { signal })).result?.url ?? null;
      return { ...task, file: openOutput({ fetch: transport.fetch, renew }, task.result) };
    },
  };
  return calls;
}

async function takeSource(
  transport: Transport,
  memory: FileMemory,
  source: string | FileLike,
  { signal }: CallOptions,
): Promise<unknown> {
  const url = webUrlOf(source);
  if (url !== null || typeof source === "string") return { type: "url", url };
  const { storageUrl } = await uploadOnce(transport, memory, source, "VIDEO", { signal });
  return { type: "uploadId", storageUrl };
}

function upscale(taskId: string): Followed<UpscaleTask> {
  const isOver = ({ status }: UpscaleTask) => status === "completed" || status === "failed";
  return { path, taskId, isOver };
}
