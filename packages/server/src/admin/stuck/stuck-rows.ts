import { recordAudit } from "../../audit/record-audit.ts";
import { beginLotsLoop } from "../../credits/begin-lots.ts";
import { expireCreditsLoop } from "../../credits/expire-credits.ts";
import { type Db, inTransaction, type Tx } from "../../db/database.ts";
import { forgetStuckRows, listStuckRows } from "../../db/stuck-rows.ts";
import { ApiError } from "../../errors.ts";
import type { Actor, DeliveryId, TaskId } from "../../ids.ts";
import { collectLoop, forgetObject } from "../../media/storage/objects.ts";
import { giveUpTask, isTaskLoop } from "../../tasks/stuck-tasks.ts";
import { deleteUpscale, sweepUpscalesLoop } from "../../upscale/queries.ts";
import { deliveriesLoop, giveUpDelivery } from "../../webhooks/queries.ts";

export const stuckListedMax = 500;

/** The rows that a loop of the workers fails at, parked ones first. */
export async function listStuck(db: Db) {
  return listStuckRows(db, stuckListedMax);
}

/** Clears the failures, so that the loop tries the row, or all its rows, now. Returns how many. */
export async function retryStuck(
  { db }: { db: Db },
  actor: Actor,
  { loop, key }: { loop: string; key: string | null },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const retried = await forgetStuckRows(tx, loop, key);
    if (retried === 0) throw new ApiError("stuck_row_not_found");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "stuck.retry",
      object: objectOf(loop, key ?? "all"),
      after: { retried },
    });
    return retried;
  });
}

/** Abandons a row, and returns the next step. The meaning of a key depends on the loop. */
export async function dropStuck(
  { db }: { db: Db },
  actor: Actor,
  { loop, key }: { loop: string; key: string },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const [stuck] = await listStuckRows(tx, 1, { loop, key });
    if (stuck === undefined) throw new ApiError("stuck_row_not_found");
    const next = await drop(tx, loop, key);
    await forgetStuckRows(tx, loop, key);
    await recordAudit(tx, actor, {
      accountId: null,
      action: "stuck.drop",
      object: objectOf(loop, key),
      before: { account: stuck.accountId, failures: stuck.failures, reason: stuck.reason },
    });
    return next;
  });
}

const objectCharsMax = 200;
const objectOf = (loop: string, key: string) => `${loop}: ${key}`.slice(0, objectCharsMax);

async function drop(tx: Tx, loop: string, key: string): Promise<string> {
  if (isTaskLoop(loop)) {
    await giveUpTask(tx, key as TaskId);
    return `run 'zoetrope admin tasks show ${key}' in a few seconds: a worker fails the task and releases its hold`;
  }
  switch (loop) {
    case deliveriesLoop:
      await giveUpDelivery(tx, key as DeliveryId);
      return "nothing: the delivery is abandoned, and its owner can request it again";
    case collectLoop:
      await forgetObject(tx, key);
      return `delete ${key} from the storage by hand if it exists`;
    case sweepUpscalesLoop:
      await deleteUpscale(tx, key as TaskId);
      return "nothing: its files in the storage are deleted within a day";
    case expireCreditsLoop:
    case beginLotsLoop:
      return "nothing: the loop tries the account again";
    default:
      return "nothing: this version has no such loop, and its record is deleted";
  }
}
