import type {
  ImageModelV4,
  ImageModelV4CallOptions,
  ImageModelV4Result,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { TaskRequest } from "@zoetrope/sdk";
import { toCallError } from "./call-errors.ts";
import { mapImage } from "./map-image.ts";
import { requireKind } from "./model-traits.ts";
import { readProviderOptions } from "./provider-options.ts";
import { readBytes } from "./read-bytes.ts";
import { findKey, perCallMax, requireCount, startTasks, warnOfHeaders } from "./start-tasks.ts";
import { takeFile } from "./take-file.ts";
import { describeResult, takeResults } from "./task-results.ts";
import type { Shared } from "./video-model.ts";

export function openImageModel(shared: Shared, modelId: string): ImageModelV4 {
  requireKind(modelId, "imageModel");
  return {
    specificationVersion: "v4",
    provider: "zoetrope.image",
    modelId,
    maxImagesPerCall: perCallMax,
    supportsFileInputs: true,
    supportsMaskInputs: false,
    doGenerate: (options) => generate(shared, modelId, options),
  };
}

async function generate(
  shared: Shared,
  modelId: string,
  options: ImageModelV4CallOptions,
): Promise<ImageModelV4Result> {
  const { client, baseUrl } = shared.connect();
  const { abortSignal: signal, headers } = options;
  const count = requireCount(options.n);
  const warnings: SharedV4Warning[] = [];
  warnOfHeaders(headers, warnings);
  const request = makeRequest(modelId, options, warnings);
  // The AI SDK makes none for images, and calls again after an error that is said to be retryable.
  const ownKey = findKey(headers);
  const idempotencyKey = ownKey ?? crypto.randomUUID();
  let taskIds: string[] = [];
  try {
    taskIds = await startTasks(client, { request, count, idempotencyKey, signal }, warnings);
    const tasks = await Promise.all(taskIds.map((taskId) => client.tasks.wait(taskId, { signal })));
    const results = takeResults(client, tasks, warnings);
    const images = await Promise.all(results.map(({ file }) => readBytes(file, signal)));
    return {
      images,
      isRetryable: false,
      warnings,
      providerMetadata: { zoetrope: { images: results.map(describeResult) } },
      response: { timestamp: new Date(), modelId, headers: undefined },
    };
  } catch (error) {
    const url = `${baseUrl}/api/v1/jobs/createTask`;
    const isRepeatable = ownKey !== undefined;
    throw toCallError(error, { url, request, taskIds, modelType: "imageModel", isRepeatable });
  }
}

function makeRequest(
  modelId: string,
  options: ImageModelV4CallOptions,
  warnings: SharedV4Warning[],
): TaskRequest {
  const { files = [], providerOptions } = options;
  const mapped = mapImage(modelId, options, warnings);
  const given = readProviderOptions(providerOptions);
  const inputs = {
    ...mapped,
    urls: files.length === 0 ? undefined : files.map(takeFile),
    ...given.inputs,
  };
  return {
    model: modelId,
    inputs,
    maxCredits: given.maxCredits,
  } as TaskRequest; // the service checks which inputs go together
}
