import { clearOldRequests } from "../accounts/requests/queries.ts";
import { makeLedgerCheck } from "../admin/ledger/check-ledger.ts";
import { checkHoursMax } from "../admin/ledger/queries.ts";
import { sweepAssets } from "../assets/admit-waiting-assets.ts";
import { notifyReviewers } from "../assets/review/notify-reviewers.ts";
import { dropExpiredUploads } from "../assets/uploads/queries.ts";
import type { Context } from "../context.ts";
import { beginLotsLoop, createBeginLots } from "../credits/begin-lots.ts";
import { expireCredits, expireCreditsLoop } from "../credits/expire-credits.ts";
import type { FirstShardDb } from "../db/database.ts";
import { ensurePartitions } from "../db/partitions.ts";
import { dropOldPartitions, purgePrompts } from "../db/retention.ts";
import type { Loops } from "../flow/loop.ts";
import type { GenerationContext } from "../generation/context.ts";
import { pollVendor } from "../generation/poll/poll-vendor.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { forgetFreedOutputs } from "../labels/agreements/queries.ts";
import { sendMails } from "../mail/send-mails.ts";
import { fenceEveryMs } from "../media/storage/fence.ts";
import { collectObjects } from "../media/storage/objects.ts";
import { deleteExpired } from "../people/links.ts";
import { createMailRenderer } from "../people/render-mail.ts";
import { forgetRemoved } from "../routing/queries.ts";
import { purgeAnswers } from "../tasks/idempotency.ts";
import { expireTasks, wakeUnsubmitted } from "../tasks/sweep.ts";
import { sweepUpscales } from "../upscale/forget-upscale.ts";
import { sweepSegments } from "../upscale/segments/sweep-segments.ts";
import { workSegments } from "../upscale/segments/work-segments.ts";
import { deliverDue } from "../webhooks/deliver-due.ts";
import { notifyOwners } from "../webhooks/endpoints/notify-owners.ts";
import { sweepEvents } from "../webhooks/read-events.ts";
import { sendCanaries } from "./canary-object.ts";
import type { WorkerContext } from "./context.ts";
import { createMeasures, measureEveryMs, walkEveryMs } from "./measure.ts";
import { certificatesEveryMs, createCertificates } from "./read-certificates.ts";

const collectEveryMs = 10_000;
const collectedMax = 200;
const purgedMax = 200;
const beginLotsEveryMs = 10 * 60_000;
const beginLotsMsMax = 15 * 60_000; // after an upgrade, of every account
const partitionsEveryMs = 60 * 60_000;
const partitionsMsMax = 15 * 60_000; // rows may have to be moved, and large partitions summed up
const purgeEveryMs = 60_000;
const remindEveryMs = 60_000;
/** The time that the sweep of another shard has to end tasks past their deadline. */
const elsewhereMs = 60 * 60_000;
const ledgerMsMax = 2 * checkHoursMax * 60 * 60_000; // a round is asked to end after half of it

/** The loops over rows, which need no engine. Each fails on its own; rows are shared with other workers. */
export function runLoops(ctx: WorkerContext, loops: Loops, stop: AbortSignal): Promise<void>[] {
  const { config } = ctx;
  const loop: Loop = (name, everyMs, work) => loops.repeat({ name, everyMs }, work);
  const loopIfCurrent: Loop = (name, everyMs, work) => loop(name, everyMs, ifCurrent(ctx, work));
  return [
    loop("keep fence", fenceEveryMs, () => ctx.fence.keep()),
    ...(config.ops.port === null ? [] : measureAll(ctx, loops)),
    loopIfCurrent("expire tasks", config.tasks.sweepIntervalMs, (until) => expireTasks(ctx, until)),
    loopIfCurrent(expireCreditsLoop, collectEveryMs, (until) => expireCredits(ctx, until)),
    loops.repeat(
      { name: beginLotsLoop, everyMs: beginLotsEveryMs, roundMsMax: beginLotsMsMax },
      createBeginLots(ctx),
    ),
    loopIfCurrent("wake tasks", config.tasks.sweepIntervalMs, () => wakeUnsubmitted(ctx)),
    loop("purge answers", config.tasks.sweepIntervalMs, () => purgeAnswers(ctx.db, purgedMax)),
    loop("send canaries", config.engine.canaryMs / 2, () => sendCanaries(ctx)),
    loop("sweep assets", config.tasks.sweepIntervalMs, () => sweepAssets(ctx)),
    loop("drop uploads", collectEveryMs, () => dropExpiredUploads(ctx.db, purgedMax)),
    loopIfCurrent("collect objects", collectEveryMs, (until) =>
      collectObjects(ctx, collectedMax, until),
    ),
    loop("sweep events", collectEveryMs, () => sweepEvents(ctx)),
    loop("tell owners", collectEveryMs, (until) => notifyOwners(ctx, until)),
    loop("tell reviewers", remindEveryMs, () => notifyReviewers(ctx)),
    ...(ctx.directory.shard === null ? [] : keepDirectory(ctx, ctx.directory.shard, loop)),
    ...keepHistory(ctx, loops),
    loops.repeat(
      { name: "check ledger", everyMs: collectEveryMs, roundMsMax: ledgerMsMax },
      (until) => makeLedgerCheck(ctx, until),
    ),
    pollVendors(ctx, loops, stop),
    loopIfCurrent("sweep segments", config.tasks.pollIntervalMs, (until) =>
      sweepSegments(ctx, until),
    ),
    loopIfCurrent("sweep upscales", config.tasks.sweepIntervalMs, (until) =>
      sweepUpscales(ctx, until),
    ),
    workSegments(
      ctx,
      stop,
      loops.monitor({ name: "work segments", everyMs: config.upscale.intervalMs }),
    ),
    deliverDue(
      ctx,
      stop,
      loops.monitor({ name: "deliveries", everyMs: config.webhooks.intervalMs }),
    ),
  ];
}

/**
 * Work that ends tasks or deletes files by what the rows say: those of a database that is behind are to be
 * reconciled first.
 */
function ifCurrent<Until>({ fence }: Context, work: (until: Until) => Promise<unknown>) {
  return async (until: Until) => ((await fence.isBehind()) ? undefined : work(until));
}

type Loop = (
  name: string,
  everyMs: number,
  work: (until: AbortSignal) => Promise<unknown>,
) => Promise<void>;

/** Over what is in the directory alone: the workers of other shards leave it to those of the first. */
function keepDirectory(ctx: WorkerContext, db: FirstShardDb, loop: Loop): Promise<void>[] {
  const { database, mail, tasks } = ctx.config;
  const renderMail = createMailRenderer({ ...ctx, ...ctx.directory });
  // Tasks of other shards are not seen from here: their jobs are over when every deadline has passed.
  const agesMs = [tasks.videoAgeMaxMs, tasks.imageAgeMaxMs, tasks.upscaleAgeMaxMs];
  const openMsMax = database.shards.length === 1 ? 0 : Math.max(...agesMs) + elsewhereMs;
  return [
    loop("forget sessions", collectEveryMs, () => deleteExpired(db, purgedMax)),
    loop("send mails", mail.intervalMs, (until) =>
      sendMails({ ...ctx, db }, ctx.mailTransport, renderMail, until),
    ),
    loop("forget vendors", collectEveryMs, () => forgetRemoved(db, openMsMax)),
  ];
}

/** Takes the measures that only metrics show. */
function measureAll(ctx: GenerationContext, loops: Loops): Promise<void>[] {
  const { measure, walk } = createMeasures(ctx);
  return [
    loops.repeat({ name: "measure", everyMs: measureEveryMs }, measure),
    loops.repeat({ name: "check balances", everyMs: walkEveryMs }, walk),
    loops.repeat(
      { name: "read certificates", everyMs: certificatesEveryMs },
      createCertificates(ctx),
    ),
  ];
}

/** A poller for each vendor account, also for those that come later. One that is gone has nothing to poll. */
async function pollVendors(ctx: GenerationContext, loops: Loops, stop: AbortSignal): Promise<void> {
  const everyMs = ctx.config.tasks.pollIntervalMs;
  const pollers = new Map<string, Promise<void>>();
  await loops.repeat({ name: "poll vendors", everyMs }, async () => {
    for (const name of ctx.vendors.keys()) {
      if (pollers.has(name) || stop.aborted) continue;
      const poll = async () => (ctx.vendors.has(name) ? pollVendor(ctx, name) : undefined);
      pollers.set(name, loops.repeat({ name: `poll ${name}`, everyMs }, ifCurrent(ctx, poll)));
    }
  });
  await Promise.all(pollers.values());
}

/** Creates upcoming partitions, drops expired ones, and blanks old prompts. */
function keepHistory({ config, db, pool, log }: Context, loops: Loops): Promise<void>[] {
  const slow = { everyMs: partitionsEveryMs, roundMsMax: partitionsMsMax };
  const { tasksDays: tasks, promptsDays: prompts } = config.retention;
  const keptDays = withoutUndefined({
    events: config.retention.eventsDays,
    attempts: config.retention.deliveriesDays,
    deliveries: config.retention.deliveriesDays,
    submissions: config.retention.submissionsDays,
    tasks: tasks ?? undefined,
  });
  return [
    loops.repeat({ name: "partitions", ...slow }, (until) => ensurePartitions(db, { until })),
    loops.repeat({ name: "retention", ...slow }, async (until) => {
      const dropped = await dropOldPartitions(pool, keptDays, until);
      if (dropped.length > 0) log.info({ event: "partitions.dropped", names: dropped });
      await clearOldRequests(db);
      await forgetFreedOutputs(db, until);
    }),
    ...(prompts === null
      ? []
      : [
          loops.repeat({ name: "purge prompts", everyMs: purgeEveryMs }, (until) =>
            purgePrompts(db, prompts, until),
          ),
        ]),
  ];
}
