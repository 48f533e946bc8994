import { announceObjects, findUnrecorded } from "../../media/storage/objects.ts";
import { listOverdue, postponeDeadline, readLastChange } from "../../tasks/reconcile-queries.ts";
import { compareEngine } from "./compare-engine.ts";
import { compareUpscales } from "./compare-upscales.ts";
import { compareVendors } from "./compare-vendors.ts";
import type { Difference, ReconcileContext } from "./difference.ts";

const dayMs = 24 * 60 * 60_000;
/** The minimum time that a task with a job is given to be polled and collected. */
const deadlineMsMin = 10 * 60_000;
const keysMax = 500;
const marginMs = 2 * 60_000;

/**
 * Compares a restored database with the engine, the vendors and the storage, which are newer. `point`:
 * the time that was restored; without it, that of the youngest row. Nothing is changed here.
 */
export async function findDifferences(
  ctx: ReconcileContext,
  point: Date | null,
): Promise<Difference[]> {
  const restored = point ?? (await readLastChange(ctx.db)) ?? new Date();
  return [
    ...(await compareEngine(ctx)),
    ...(await compareVendors(ctx, restored)),
    ...(await compareUpscales(ctx)),
    ...(await compareDeadlines(ctx)),
    ...(await compareFiles(ctx, restored)),
  ];
}

/** A job that is paid for is not given up because the database was away. */
async function compareDeadlines({ db }: ReconcileContext): Promise<Difference[]> {
  const overdue = await listOverdue(db, deadlineMsMin);
  return overdue.map(({ taskId, deadlineAt }) => ({
    kind: "deadline near",
    id: taskId,
    detail: `its job may be over, and its deadline is ${deadlineAt.toISOString()}`,
    action: `give it ${deadlineMsMin / 60_000} minutes`,
    apply: () => postponeDeadline(db, taskId, deadlineMsMin),
  }));
}

/** Files that were stored after the point: links to them were given out, so they are kept as long as outputs. */
async function compareFiles(
  { db, storage, config }: ReconcileContext,
  point: Date,
): Promise<Difference[]> {
  const keptMs = config.retention.mediaDays * dayMs;
  const found: string[] = [];
  let batch: string[] = [];
  const look = async () => {
    found.push(...(await findUnrecorded(db, batch)));
    batch = [];
  };
  for await (const key of storage.listSince(new Date(point.getTime() - marginMs))) {
    batch.push(key);
    if (batch.length >= keysMax) await look();
  }
  await look();
  return found.map((key) => ({
    kind: "file without a record",
    id: key,
    detail: "stored after the point",
    action: `record it, to be deleted in ${config.retention.mediaDays} days`,
    apply: () => announceObjects(db, [key], keptMs),
  }));
}
