import { expect } from "vitest";
import type { TaskId } from "../../src/ids.ts";
import type { OpenContext } from "../../src/open-context.ts";
import { listSegments } from "../../src/upscale/segments/queries.ts";
import { workSegments } from "../../src/upscale/segments/work-segments.ts";

/** Is a worker until every segment of the task is done. */
export async function workAllSegments(ctx: OpenContext, taskId: TaskId): Promise<void> {
  const stop = new AbortController();
  const working = workSegments(ctx, stop.signal);
  const areDone = async () =>
    (await listSegments(ctx.db, taskId)).every(({ objectKey }) => objectKey !== null);
  await expect.poll(areDone, { timeout: 500_000 }).toBe(true);
  stop.abort();
  await working;
}
