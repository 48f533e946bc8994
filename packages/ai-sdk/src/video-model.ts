import {
  type Experimental_VideoModelV4CallOptions as CallOptions,
  InvalidArgumentError,
  type JSONValue,
  type SharedV4Warning,
  type Experimental_VideoModelV4OperationStartResult as StartResult,
  type Experimental_VideoModelV4OperationStatusResult as StatusResult,
  type Experimental_VideoModelV4 as VideoModelV4,
} from "@ai-sdk/provider";
import type { TaskRequest } from "@zoetrope/sdk";
import { toCallError } from "./call-errors.ts";
import { mapVideo } from "./map-video.ts";
import { requireKind } from "./model-traits.ts";
import { readProviderOptions } from "./provider-options.ts";
import { type Operation, readOperation, readStatus } from "./read-status.ts";
import type { Connection } from "./settings.ts";
import { findKey, perCallMax, requireCount, startTasks, warnOfHeaders } from "./start-tasks.ts";
import { takeFile, takeVideo, type VideoMemory } from "./take-file.ts";
import { type Verdicts, watchWebhook } from "./watch-webhook.ts";

/** The state that the models of one provider share. */
export interface Shared {
  connect(): Connection;
  videos: VideoMemory;
  verdicts: Verdicts;
}

type StartOptions = CallOptions & { webhookUrl?: string };

export function openVideoModel(shared: Shared, modelId: string): VideoModelV4 {
  requireKind(modelId, "videoModel");
  const keysInUse = new Set<string>();
  return {
    specificationVersion: "v4",
    provider: "zoetrope.video",
    modelId,
    maxVideosPerCall: perCallMax,
    handleWebhookOption: ({ webhook }) => watchWebhook(shared, webhook),
    async doStart(options) {
      const key = findKey(options.headers) ?? crypto.randomUUID();
      requireUnused(keysInUse, key);
      keysInUse.add(key);
      try {
        return await start(shared, modelId, options, key);
      } finally {
        keysInUse.delete(key);
      }
    },
    doStatus: ({ operation, abortSignal }) => check(shared, modelId, operation, abortSignal),
  };
}

/** Two starts at once with one key are the pieces of a split call: they would get the same video. */
function requireUnused(keysInUse: ReadonlySet<string>, key: string): void {
  if (!keysInUse.has(key)) return;
  throw new InvalidArgumentError({
    argument: "headers",
    message:
      "Another start with this Idempotency-Key is under way. Leave maxVideosPerCall out, so that one start makes all n videos, or use another key.",
  });
}

async function start(
  shared: Shared,
  modelId: string,
  options: StartOptions,
  idempotencyKey: string,
): Promise<StartResult> {
  const { client, baseUrl } = shared.connect();
  const { abortSignal: signal, webhookUrl, headers } = options;
  const count = requireCount(options.n);
  const warnings: SharedV4Warning[] = [];
  warnOfHeaders(headers, warnings);
  const url = `${baseUrl}/api/v1/jobs/createTask`;
  let request: TaskRequest | undefined;
  try {
    request = await makeRequest(shared, modelId, options, warnings);
    const taskIds = await startTasks(client, { request, count, idempotencyKey, signal }, warnings);
    const operation: Operation = { taskIds, callBackUrl: webhookUrl || undefined };
    return {
      operation: { ...operation },
      warnings,
      providerMetadata: { zoetrope: { taskIds } },
      response: { timestamp: new Date(), modelId, headers: undefined },
    };
  } catch (error) {
    throw toCallError(error, { url, request, modelType: "videoModel", isRepeatable: true });
  }
}

async function makeRequest(
  shared: Shared,
  modelId: string,
  options: StartOptions,
  warnings: SharedV4Warning[],
): Promise<TaskRequest> {
  const { abortSignal: signal, providerOptions, webhookUrl } = options;
  const { client } = shared.connect();
  const { inputs, images, videos, audios } = mapVideo(modelId, options, warnings);
  const taken = videos.map((video) => takeVideo(client, shared.videos, video, { modelId, signal }));
  const videoUrls = await Promise.all(taken);
  const given = readProviderOptions(providerOptions);
  const all = {
    ...inputs,
    urls: images.length === 0 ? undefined : images.map(takeFile),
    videoUrls: videoUrls.length === 0 ? undefined : videoUrls,
    audioUrls: audios.length === 0 ? undefined : audios.map(takeFile),
    ...given.inputs,
  };
  return {
    model: modelId,
    inputs: all,
    callBackUrl: webhookUrl,
    maxCredits: given.maxCredits,
  } as TaskRequest; // the service checks which inputs go together
}

async function check(
  shared: Shared,
  modelId: string,
  given: JSONValue,
  abortSignal: AbortSignal | undefined,
): Promise<StatusResult> {
  const connection = shared.connect();
  const operation = readOperation(given);
  const { taskIds, callBackUrl } = operation;
  try {
    const status = await readStatus(connection, operation, { modelId, abortSignal });
    const verdict = callBackUrl === undefined ? undefined : shared.verdicts.get(callBackUrl);
    if (verdict === undefined || status.status === "error") return status;
    shared.verdicts.delete(callBackUrl ?? "");
    return { ...status, warnings: [...(status.warnings ?? []), verdict] };
  } catch (error) {
    const url = `${connection.baseUrl}/api/v1/jobs/queryTask`;
    throw toCallError(error, { url, taskIds, isRepeatable: true });
  }
}
