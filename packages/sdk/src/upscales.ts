import { newKey } from "./abort.ts";
import { type CreateOptions, createNames, creation, get, read } from "./calls.ts";
import { type OpenTasks, OutputError, TaskFailedError, ZoetropeError } from "./errors.ts";
import { type Followed, followTask, type WaitOptions, waitForTask } from "./follow-task.ts";
import type { CreateUpscaleAnswer, QuoteUpscaleAnswer } from "./generated.ts";
import { known, type Names, requireKnown } from "./known-options.ts";
import { type Made, nameOfMade } from "./made.ts";
import { type Output, openOutput } from "./outputs.ts";
import { type FileLike, isFileLike, webUrlOf } from "./read-file.ts";
import { type Created, watchStages } from "./stages.ts";
import {
  type FileMemory,
  notBegun,
  type Progress,
  type TakeOptions,
  uploadOnce,
} from "./take-files.ts";
import {
  type CallOptions,
  limitTime,
  type Signalled,
  sendCreation,
  type Transport,
} from "./transport.ts";
import type { Asset, TargetResolution, UpscaleTask } from "./types.ts";

/** A URL, what a task made, an asset, or a file, which is uploaded. */
export type UpscaleSource = string | FileLike | Made | Pick<Asset, "storageUrl">;

/** An upscale of a batch. */
export interface UpscaleRequest
  extends Pick<CreateUpscaleOptions, "callBackUrl" | "maxCredits" | "idempotencyKey"> {
  source: UpscaleSource;
  targetResolution: TargetResolution;
}

export interface CreateUpscaleOptions extends CreateOptions {
  callBackUrl?: string | undefined;
  /** The task is refused if it costs more. */
  maxCredits?: number | undefined;
}

export interface RunUpscaleOptions
  extends Omit<WaitOptions<UpscaleTask>, "onProgress">,
    CreateUpscaleOptions {
  /** Called when a file is uploaded, then with every state of the task. */
  onProgress?: ((progress: Progress<UpscaleTask>) => void) | undefined;
  /** Called once the task exists: a caller that aborts later can wait for it again. */
  onCreated?: ((created: Created) => void) | undefined;
}

const newNames: Names<CreateUpscaleOptions> = {
  ...createNames,
  callBackUrl: true,
  maxCredits: true,
};
const runNames: Names<RunUpscaleOptions> = { ...newNames, onProgress: true, onCreated: true };

/**
 * Creates an upscale, also with fields that are unknown here, and returns what the response says
 * about open tasks too.
 */
type CreateUpscale = (
  request: Omit<UpscaleRequest, "idempotencyKey">,
  options: CreateOptions,
  onFileProgress?: TakeOptions["onFileProgress"],
) => Promise<CreateUpscaleAnswer & { openTasks: OpenTasks | null }>;

type Result = NonNullable<UpscaleTask["result"]>;
export type CompletedUpscale = UpscaleTask & { file: Result & Output };

const path = "/api/v1/upscale/query";

export function upscaleCalls(transport: Transport, memory: FileMemory) {
  const create: CreateUpscale = async (request, options, onFileProgress) => {
    const { signal } = options;
    const source = await takeSource(transport, memory, request.source, { signal, onFileProgress });
    const call = creation("/api/v1/upscale/create", { ...request, source }, options);
    return sendCreation<CreateUpscaleAnswer>(transport, call);
  };
  const calls = {
    create: async (
      source: UpscaleSource,
      targetResolution: TargetResolution,
      options: CreateUpscaleOptions = {},
    ): Promise<CreateUpscaleAnswer> => {
      const { callBackUrl, maxCredits, ...creating } = requireKnown(options, newNames);
      const request = { source, targetResolution, callBackUrl, maxCredits };
      const { openTasks: _, ...created } = await create(request, creating);
      return created;
    },
    /** The price, without creating anything; a file is uploaded. */
    quote: async (
      source: UpscaleSource,
      targetResolution: TargetResolution,
      options: CallOptions = {},
    ): Promise<QuoteUpscaleAnswer> => {
      const { signal } = requireKnown(options, known.call);
      const named = await takeSource(transport, memory, source, { signal });
      const body = { source: named, targetResolution };
      return read(transport, "/api/v1/upscale/quote", body, options);
    },
    get: (taskId: string, options: CallOptions = {}): Promise<UpscaleTask> =>
      get(transport, path, { taskId }, options),
    wait: (taskId: string, options: WaitOptions<UpscaleTask> = {}): Promise<UpscaleTask> =>
      waitForTask(transport, upscale(taskId), options),
    stream: (taskId: string, options: Signalled = {}): AsyncGenerator<UpscaleTask> =>
      followTask(transport, upscale(taskId), requireKnown(options, known.signalled)),
    /** Creates an upscale, waits for its end and returns its file. Throws `TaskFailedError` if it failed. */
    run: async (
      source: UpscaleSource,
      targetResolution: TargetResolution,
      options: RunUpscaleOptions = {},
    ): Promise<CompletedUpscale> => {
      requireKnown(options, runNames);
      const { callBackUrl, maxCredits, onProgress, idempotencyKey = newKey() } = options;
      const stages = watchStages(options, idempotencyKey);
      const { signal, end } = limitTime(options, stages.late);
      try {
        const request = { source, targetResolution, callBackUrl, maxCredits };
        const { taskId } = await create(request, { idempotencyKey, signal }, stages.report);
        stages.create(taskId);
        const task = await calls.wait(taskId, {
          signal,
          onProgress: (state) => onProgress?.({ ...state, phase: "task" }),
        });
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
  return { calls, create };
}

async function takeSource(
  transport: Transport,
  memory: FileMemory,
  source: UpscaleSource,
  { signal, onFileProgress }: Omit<TakeOptions, "until">,
): Promise<unknown> {
  if (source === undefined || source === null) return source; // the service says what is missing
  if (typeof source === "object" && "storageUrl" in source)
    return { type: "uploadId", storageUrl: source.storageUrl };
  if (typeof source === "object" && "taskId" in source)
    return { type: "task", taskId: source.taskId, index: source.index };
  if (!isFileLike(source)) return { type: "url", url: nameOfMade(source) ?? source };
  const url = webUrlOf(source);
  if (url !== null) return { type: "url", url };
  onFileProgress?.({
    phase: "upload",
    status: "UPLOADING",
    input: "source",
    assetId: null,
    ...notBegun,
  });
  const { storageUrl } = await uploadOnce(transport, memory, source, "VIDEO", { signal });
  return { type: "uploadId", storageUrl };
}

function upscale(taskId: string): Followed<UpscaleTask> {
  const isOver = ({ status }: UpscaleTask) => status === "completed" || status === "failed";
  return { path, taskId, isOver };
}
