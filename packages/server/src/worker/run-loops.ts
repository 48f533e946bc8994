import { sweepAssets } from "../assets/sweep-assets.ts";
import { dropExpiredUploads } from "../assets/uploads/queries.ts";
import type { Context } from "../context.ts";
import { ensurePartitions } from "../db/partitions.ts";
import { dropOldPartitions, purgePrompts } from "../db/retention.ts";
import type { GenerationContext } from "../generation/context.ts";
import { pollVendor } from "../generation/poll/poll-vendor.ts";
import { collectObjects } from "../media/storage/objects.ts";
import { purgeAnswers } from "../tasks/idempotency.ts";
import { expireTasks, wakeUnbegun } from "../tasks/sweep.ts";
import { sweepUpscales } from "../upscale/forget-upscale.ts";
import { watchSegments } from "../upscale/segments/watch-segments.ts";
import { workSegments } from "../upscale/segments/work-segments.ts";
import { deliverDue } from "../webhooks/deliver-due.ts";
import { sweepEvents } from "../webhooks/read-events.ts";
import type { Loops } from "./loop.ts";

const collectEveryMs = 10_000;
const collectedMax = 200;
const purgedMax = 200;
const partitionsEveryMs = 60 * 60_000;
const partitionsMsMax = 15 * 60_000; // rows may have to be moved, and large partitions summed up
const purgeEveryMs = 60_000;

/** The loops over rows, which need no engine. Each fails on its own; rows are shared with other workers. */
export function runLoops(ctx: GenerationContext, loops: Loops, stop: AbortSignal): Promise<void>[] {
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
    ...keepHistory(ctx, loops),
    ...[...ctx.vendors.keys()].map((name) =>
      loop(`watch ${name}`, config.WATCH_INTERVAL_MS, () => pollVendor(ctx, name)),
    ),
    loop("watch upscaler", config.WATCH_INTERVAL_MS, (until) => watchSegments(ctx, until)),
    loop("sweep upscales", config.SWEEP_INTERVAL_MS, (until) => sweepUpscales(ctx, until)),
    workSegments(
      ctx,
      stop,
      loops.watch({ name: "work segments", everyMs: config.SEGMENT_INTERVAL_MS }),
    ),
    deliverDue(
      ctx,
      stop,
      loops.watch({ name: "deliveries", everyMs: config.DELIVERY_INTERVAL_MS }),
    ),
  ];
}

/** Makes the partitions to come, drops what is older than the settings say, and blanks old prompts. */
function keepHistory({ config, db, pool, log }: Context, loops: Loops): Promise<void>[] {
  const slow = { everyMs: partitionsEveryMs, turnMsMax: partitionsMsMax };
  const { TASKS_RETENTION_DAYS: tasks, PROMPTS_RETENTION_DAYS: prompts } = config;
  const keptDays = {
    events: config.EVENTS_RETENTION_DAYS,
    attempts: config.DELIVERIES_RETENTION_DAYS,
    deliveries: config.DELIVERIES_RETENTION_DAYS,
    submissions: config.SUBMISSIONS_RETENTION_DAYS,
    ...(tasks === undefined ? {} : { tasks }),
  };
  return [
    loops.repeat({ name: "partitions", ...slow }, (until) => ensurePartitions(db, { until })),
    loops.repeat({ name: "retention", ...slow }, async (until) => {
      const dropped = await dropOldPartitions(pool, keptDays, until);
      if (dropped.length > 0) log.info({ event: "partitions.dropped", names: dropped });
    }),
    ...(prompts === undefined
      ? []
      : [
          loops.repeat({ name: "purge prompts", everyMs: purgeEveryMs }, (until) =>
            purgePrompts(db, prompts, until),
          ),
        ]),
  ];
}
