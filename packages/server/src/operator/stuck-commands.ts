import type { Db } from "../db/database.ts";
import { forgetStuckRows, listStuckRows } from "../db/stuck-rows.ts";
import { collectLoop, forgetObject } from "../media/storage/objects.ts";
import { giveUpTask, isTaskLoop } from "../tasks/stuck-tasks.ts";
import { deleteUpscale, sweepUpscalesLoop } from "../upscale/queries.ts";
import { deliveriesLoop, giveUpDelivery } from "../webhooks/queries.ts";

/** The operator's commands about rows that a loop fails at. */

const listedMax = 500;

export async function listStuck(db: Db) {
  const rows = await listStuckRows(db, listedMax);
  const [first] = rows;
  return {
    facts: rows.map(({ loop, key, accountId, firstFailedAt, failures, parkedAt, reason }) => ({
      loop,
      key,
      account: accountId,
      since: firstFailedAt.toISOString(),
      failures,
      parked: parkedAt?.toISOString() ?? null,
      reason,
    })),
    ...(first === undefined
      ? {}
      : {
          next: `mend the cause, then 'stuck retry --loop "${first.loop}" --key ${first.key}', or give the row up with 'stuck drop'`,
        }),
  };
}

/** Null when there is no such row. */
export async function retryStuck(db: Db, loop: string, key: string | null) {
  const retried = await forgetStuckRows(db, loop, key);
  if (retried === 0) return null;
  return { facts: { retried }, next: "'stuck list' in a minute: what still fails is there again" };
}

/** Null when there is no such row. */
export async function dropStuck(db: Db, loop: string, key: string) {
  const stuck = await listStuckRows(db, 1, { loop, key });
  if (stuck.length === 0) return null;
  const next = await drop(db, loop, key);
  await forgetStuckRows(db, loop, key);
  return { facts: { dropped: key }, next };
}

/** What is done with the row, and what comes of it. */
async function drop(db: Db, loop: string, key: string): Promise<string> {
  if (isTaskLoop(loop)) {
    await giveUpTask(db, key);
    return `'task show --task ${key}': a worker ends it within seconds and releases its hold`;
  }
  switch (loop) {
    case deliveriesLoop:
      await giveUpDelivery(db, key);
      return "nothing: the delivery is given up, its owner can ask for it again";
    case collectLoop:
      await forgetObject(db, key);
      return `remove ${key} from the storage by hand if it is there`;
    case sweepUpscalesLoop:
      await deleteUpscale(db, key);
      return "nothing: what it left in the storage is collected within a day";
    default:
      return "nothing: this version has no such loop, its record is forgotten";
  }
}
