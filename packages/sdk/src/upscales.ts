import { newKey } from "./abort.ts";
import { type CreateOptions, creation, get } from "./calls.ts";
import { OutputError, TaskFailedError, TimeoutError, ZoetropeError } from "./errors.ts";
import { type Followed, followTask, type WaitOptions, waitForTask } from "./follow-task.ts";
import type { CreateUpscaleAnswer } from "./generated.ts";
import { type Output, openOutput } from "./outputs.ts";
import { type FileLike, webUrlOf } from "./read-file.ts";
import { type FileMemory, uploadOnce } from "./take-files.ts";
import {
  type CallOptions,
  limitTime,
  type Signalled,
  sendForJson,
  type Transport,
} from "./transport.ts";
import type { Asset, TargetResolution, UpscaleTask } from "./types.ts";

/** A URL, a file, which is uploaded, or an asset. */
export type UpscaleSource = string | FileLike | Pick<Asset, "storageUrl">;

export interface CreateUpscaleOptions extends CreateOptions {
  callBackUrl?: string | undefined;
  /** The task is refused if it costs more. */
  maxCredits?: number | undefined;
}

export interface RunUpscaleOptions extends WaitOptions<UpscaleTask>, CreateUpscaleOptions {}

type Result = NonNullable<UpscaleTask["result"]>;
export type CompletedUpscale = UpscaleTask & { file: Result & Output };

const path = "/api/v1/upscale/query";

export function upscaleCalls(transport: Transport, memory: FileMemory) {
  const calls = {
    create: async (
      source: UpscaleSource,
      targetResolution: TargetResolution,
      options: CreateUpscaleOptions = {},
    ): Promise<CreateUpscaleAnswer> => {
      const { callBackUrl, maxCredits } = options;
      const named = await takeSource(transport, memory, source, options);
      const body = { source: named, targetResolution, callBackUrl, maxCredits };
      return sendForJson(transport, creation("/api/v1/upscale/create", body, options));
    },
    get: (taskId: string, options: CallOptions = {}): Promise<UpscaleTask> =>
      get(transport, path, { taskId }, options),
    wait: (taskId: string, options: WaitOptions<UpscaleTask> = {}): Promise<UpscaleTask> =>
      waitForTask(transport, upscale(taskId), options),
    stream: (taskId: string, options: Signalled = {}): AsyncGenerator<UpscaleTask> =>
      followTask(transport, upscale(taskId), options),
    /** Creates an upscale, waits for its end and answers its file. Throws `TaskFailedError` if it failed. */
    run: async (
      source: UpscaleSource,
      targetResolution: TargetResolution,
      options: RunUpscaleOptions = {},
    ): Promise<CompletedUpscale> => {
      const { callBackUrl, maxCredits, onProgress, timeoutMs, idempotencyKey = newKey() } = options;
      let taskId: string | null = null;
      const message = `The upscale is not over after ${timeoutMs} ms. It goes on: wait for it.`;
      const late = () => new TimeoutError(message, { taskId, idempotencyKey });
      const { signal, end } = limitTime(options, late);
      try {
        const creating = { callBackUrl, maxCredits, idempotencyKey, signal };
        ({ taskId } = await calls.create(source, targetResolution, creating));
        const task = await calls.wait(taskId, { signal, onProgress });
        return calls.complete(task, idempotencyKey);
      } finally {
        end();
      }
    },
    /** The file of an upscale that is over. Throws `TaskFailedError` if it failed. */
    complete: (task: UpscaleTask, idempotencyKey: string | null = null): CompletedUpscale => {
      const { taskId, status, result, error } = task;
      if (error !== null) throw new TaskFailedError(task, { ...error, idempotencyKey });
      if (result === null)
        throw status === "completed"
          ? new OutputError(`The media of upscale ${taskId} was deleted.`, { code: "output_gone" })
          : new ZoetropeError(`Upscale ${taskId} is ${status}: wait for it.`, { code: "not_over" });
      const renew = async (signal: AbortSignal | undefined) =>
        (await calls.get(taskId, { signal })).result?.url ?? null;
      return { ...task, file: openOutput({ fetch: transport.fetch, renew }, result) };
    },
  };
  return calls;
}

async function takeSource(
  transport: Transport,
  memory: FileMemory,
  source: UpscaleSource,
  { signal }: Signalled,
): Promise<unknown> {
  if (typeof source === "object" && "storageUrl" in source)
    return { type: "uploadId", storageUrl: source.storageUrl };
  const url = webUrlOf(source);
  if (url !== null || typeof source === "string") return { type: "url", url };
  const { storageUrl } = await uploadOnce(transport, memory, source, "VIDEO", { signal });
  return { type: "uploadId", storageUrl };
}

function upscale(taskId: string): Followed<UpscaleTask> {
  const isOver = ({ status }: UpscaleTask) => status === "completed" || status === "failed";
  return { path, taskId, isOver };
}
