import { sweepAssets } from "../assets/sweep-assets.ts";
import { dropExpiredUploads } from "../assets/uploads/queries.ts";
import type { Context } from "../context.ts";
import { ensurePartitions } from "../db/partitions.ts";
import { watchVendor } from "../generation/watch-vendor.ts";
import { collectObjects } from "../media/objects.ts";
import { purgeAnswers } from "../tasks/idempotency.ts";
import { expireTasks, wakeUnbegun } from "../tasks/sweep.ts";
import { sweepUpscales } from "../upscale/forget-upscale.ts";
import { watchPieces } from "../upscale/watch-pieces.ts";
import { workPieces } from "../upscale/work-pieces.ts";
import { deliverDue } from "../webhooks/deliver-due.ts";
import { sweepEvents } from "../webhooks/read-events.ts";
import type { Loops } from "./loop.ts";

const collectEveryMs = 10_000;
const collectedMax = 200;
const purgedMax = 200;
const partitionsEveryMs = 60 * 60_000;
const partitionsMsMax = 15 * 60_000; // rows may have to be moved

/** The loops over rows, which need no engine. Each fails on its own; rows are shared with other workers. */
export function runLoops(ctx: Context, loops: Loops, stop: AbortSignal): Promise<void>[] {
  const { config } = ctx;
  const loop = (name: string, everyMs: number, work: (until: AbortSignal) => Promise<unknown>) =>
    loops.repeat({ name, everyMs }, work);
  return [
    loop("expire tasks", config.SWEEP_INTERVAL_MS, (until) => expireTasks(ctx, until)),
    loop("wake tasks", config.SWEEP_INTERVAL_MS, () => wakeUnbegun(ctx)),
    loop("purge answers", config.SWEEP_INTERVAL_MS, () => purgeAnswers(ctx.db, purgedMax)),
    loop("sweep assets", config.SWEEP_INTERVAL_MS, () => sweepAssets(ctx)),
    loop("drop uploads", collectEveryMs, () => dropExpiredUploads(ctx.db, purgedMax)),
    loop("collect objects", collectEveryMs, (until) => collectObjects(ctx, collectedMax, until)),
    loop("sweep events", collectEveryMs, () => sweepEvents(ctx)),
    loops.repeat(
      { name: "partitions", everyMs: partitionsEveryMs, turnMsMax: partitionsMsMax },
      () => ensurePartitions(ctx.db),
    ),
    ...[...ctx.vendors.keys()].map((name) =>
      loop(`watch ${name}`, config.WATCH_INTERVAL_MS, () => watchVendor(ctx, name)),
    ),
    loop("watch upscaler", config.WATCH_INTERVAL_MS, (until) => watchPieces(ctx, until)),
    loop("sweep upscales", config.SWEEP_INTERVAL_MS, (until) => sweepUpscales(ctx, until)),
    workPieces(
      ctx,
      stop,
      loops.watch({ name: "work segments", everyMs: config.PIECE_INTERVAL_MS }),
    ),
    deliverDue(
      ctx,
      stop,
      loops.watch({ name: "deliveries", everyMs: config.DELIVERY_INTERVAL_MS }),
    ),
  ];
}
