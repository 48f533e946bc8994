import { expect } from "vitest";
import type { Context } from "../../src/context.ts";
import { listPieces } from "../../src/upscale/queries.ts";
import { workPieces } from "../../src/upscale/work-pieces.ts";

/** Is a worker until every piece of the task is done. */
export async function workAllPieces(ctx: Context, taskId: string): Promise<void> {
  const stop = new AbortController();
  const working = workPieces(ctx, stop.signal);
  const areDone = async () =>
    (await listPieces(ctx.db, taskId)).every(({ objectKey }) => objectKey !== null);
  await expect.poll(areDone, { timeout: 60_000 }).toBe(true);
  stop.abort();
  await working;
}
