import type { Context } from "../../context.ts";
import { isUnavailable } from "../../db/database.ts";
import { noteFailures } from "../../flow/each-row.ts";
import { workSegmentsLoop } from "../../tasks/stuck-tasks.ts";
import { type LeasedSegment, leaseSegment, listWaitingUpscales } from "./queries.ts";

const triedMax = 20;
const upscaleRows = {
  loop: workSegmentsLoop,
  keyOf: ({ taskId }: Waiting) => taskId,
  accountOf: ({ accountId }: Waiting) => accountId,
};

/**
 * Leases the next segment in one statement. If that fails, upscales are tried one by one: the failing
 * one is counted as stuck, and the first good one is taken.
 */
export async function takeSegment(
  ctx: Context,
  worker: string,
  leaseMs: number,
): Promise<LeasedSegment | undefined> {
  try {
    return await leaseSegment(ctx.db, worker, leaseMs);
  } catch (error) {
    if (isUnavailable(error)) throw error;
  }
  for (const upscale of await listWaitingUpscales(ctx.db, triedMax)) {
    try {
      const segment = await leaseSegment(ctx.db, worker, leaseMs, upscale.taskId);
      if (segment !== undefined) return segment;
    } catch (error) {
      await noteFailures(ctx, upscaleRows, [upscale], error);
    }
  }
  return undefined;
}

type Waiting = Awaited<ReturnType<typeof listWaitingUpscales>>[number];
