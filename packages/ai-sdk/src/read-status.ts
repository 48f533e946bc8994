import {
  InvalidArgumentError,
  type JSONValue,
  type SharedV4Warning,
  type Experimental_VideoModelV4OperationStatusResult as StatusResult,
  type Experimental_VideoModelV4VideoData as VideoData,
} from "@ai-sdk/provider";
import { type GenerationTask, type Output, TaskFailedError } from "@zoetrope/sdk";
import { isPrivateUrl } from "./is-private-url.ts";
import { readBytes } from "./read-bytes.ts";
import type { Connection } from "./settings.ts";
import { describeResult, type Result, takeResults } from "./task-results.ts";

export interface Operation {
  taskIds: string[];
  /** Given if the end of the tasks is announced there. */
  callBackUrl: string | undefined;
}

export function readOperation(operation: JSONValue): Operation {
  const { taskIds, callBackUrl } = (operation ?? {}) as {
    taskIds?: unknown;
    callBackUrl?: unknown;
  };
  if (!(Array.isArray(taskIds) && taskIds.length > 0 && taskIds.every(isText)))
    throw new InvalidArgumentError({
      argument: "operation",
      message: "This is not an operation of this provider. Pass on what startVideo returned.",
    });
  return { taskIds, callBackUrl: isText(callBackUrl) ? callBackUrl : undefined };
}

/**
 * Waits for the end if the caller can end the waiting or has already been notified of an end; the
 * AI SDK would look again only 5 s later. Otherwise returns the current state.
 */
export async function readStatus(
  connection: Connection,
  { taskIds, callBackUrl }: Operation,
  { modelId, abortSignal: signal }: { modelId: string; abortSignal: AbortSignal | undefined },
): Promise<StatusResult> {
  const { client } = connection;
  const isWaiting = signal !== undefined || callBackUrl !== undefined;
  const read = (taskId: string) =>
    isWaiting ? client.tasks.wait(taskId, { signal }) : client.tasks.get(taskId, { signal });
  const tasks = await Promise.all(taskIds.map(read));
  const response = { timestamp: new Date(), modelId, headers: undefined };
  if (!tasks.every(isOver)) return { status: "pending", response };
  const warnings: SharedV4Warning[] = [];
  let results: Result[];
  try {
    results = takeResults(client, tasks, warnings);
  } catch (error) {
    if (!(error instanceof TaskFailedError)) throw error;
    const providerMetadata = { zoetrope: { taskId: error.task.taskId, code: error.code } };
    return { status: "error", error: error.message, providerMetadata, response };
  }
  const reading = results.map(({ file }) => readVideo(connection, file, signal));
  const videos = await Promise.all(reading);
  const providerMetadata = { zoetrope: { videos: results.map(describeResult) } };
  return { status: "completed", videos, warnings, providerMetadata, response };
}

async function readVideo(
  { settings }: Connection,
  file: Output,
  signal: AbortSignal | undefined,
): Promise<VideoData> {
  const { url, mediaType } = file;
  if (!(settings.downloadVideos ?? isPrivateUrl(url))) return { type: "url", url, mediaType };
  return { type: "binary", data: await readBytes(file, signal), mediaType };
}

function isOver({ status }: GenerationTask): boolean {
  return status === "COMPLETED" || status === "FAILED";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
