import type { JSONObject, SharedV4Warning } from "@ai-sdk/provider";
import { type GenerationTask, type Output, TaskFailedError, type Zoetrope } from "@zoetrope/sdk";

export interface Result {
  task: GenerationTask;
  file: Output;
}

/** The files of tasks that are over. Failed tasks are warnings, or thrown if there is no other. */
export function takeResults(
  client: Zoetrope,
  tasks: readonly GenerationTask[],
  warnings: SharedV4Warning[],
): Result[] {
  const completed = tasks.filter(({ status }) => status === "COMPLETED");
  const failures = tasks.filter(({ status }) => status === "FAILED").map(failureOf);
  const [first] = failures;
  if (completed.length === 0 && first !== undefined) throw first;
  for (const { message } of failures)
    warnings.push({ type: "other", message: `One of the results is missing. ${message}` });
  // Notes say where a task differs from what was asked for.
  for (const { param, message } of completed.flatMap(({ notes = [] }) => notes))
    warnings.push({ type: "other", message: `${param}: ${message}` });
  return completed.flatMap((task) => client.complete(task).files.map((file) => ({ task, file })));
}

/** Returns the facts known about a result, without its bytes. */
export function describeResult({ task, file }: Result): JSONObject {
  const { url, width, height, sizeBytes, durationSeconds, posterUrl, mediaType, expiresAt } = file;
  const { taskId, creditsUsed } = task;
  const measured = { width, height, sizeBytes, durationSeconds, mediaType };
  return { taskId, creditsUsed, url, expiresAt, posterUrl, ...measured };
}

function failureOf(task: GenerationTask): TaskFailedError {
  const { taskId, error, errorCode } = task;
  const code = errorCode ?? "unknown";
  const message = `${error ?? "The task failed."} (${code}, task ${taskId})`;
  return new TaskFailedError(task, { code, message });
}
