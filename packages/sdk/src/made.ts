import type { GenerationTask } from "./generated.ts";

/**
 * The result of a task: the task, whose first output is used unless it has an `index`, or one of
 * its files. Nothing is uploaded.
 */
export type Made =
  | (Pick<GenerationTask, "taskId"> & { index?: number | undefined })
  | { url: string; mediaType: string };

const reference = /^task:\/\//;

/**
 * Returns the name under which the service knows it: `task://<taskId>/0`, or its link. Null for
 * anything else.
 */
export function nameOfMade(value: unknown): string | null {
  if (typeof value === "string") return reference.test(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  const { taskId, index = 0, url, mediaType } = value as Record<string, unknown>;
  if (typeof taskId === "string") return `task://${taskId}/${index}`;
  return typeof url === "string" && typeof mediaType === "string" ? url : null;
}
