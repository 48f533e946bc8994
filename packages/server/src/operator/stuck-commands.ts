import type { Db } from "../db/database.ts";
import { forgetStuckRows, listStuckRows } from "../db/stuck-rows.ts";
import type { DeliveryId, TaskId } from "../ids.ts";
import { collectLoop, forgetObject } from "../media/storage/objects.ts";
import { giveUpTask, isTaskLoop } from "../tasks/stuck-tasks.ts";
import { deleteUpscale, sweepUpscalesLoop } from "../upscale/queries.ts";
import { deliveriesLoop, giveUpDelivery } from "../webhooks/queries.ts";
import { type Commands, fail, readText } from "./command.ts";
import { withDatabase } from "./with-database.ts";

const listedMax = 500;
const noSuchRow = "There is no such stuck row.";

export const stuckCommands: Commands = {
  "stuck list": {
    takes: "",
    does: "lists the rows that a loop of the workers fails at; parked: the loop no longer retries the row",
    run: () => withDatabase(listStuck),
  },
  "stuck retry": {
    takes: "--loop NAME [--key KEY]",
    does: "clears the failures, so that the loop retries the row, or all its rows, now",
    run: (options) =>
      withDatabase(async (db) => {
        const key = options["key"] === undefined ? null : readText(options, "key");
        return (await retryStuck(db, readText(options, "loop"), key)) ?? fail(noSuchRow);
      }),
  },
  "stuck drop": {
    takes: "--loop NAME --key KEY",
    does: "abandons the row: a task fails and its hold is released, a delivery is abandoned, the record of a file is deleted",
    run: (options) =>
      withDatabase(
        async (db) =>
          (await dropStuck(db, readText(options, "loop"), readText(options, "key"))) ??
          fail(noSuchRow),
      ),
  },
};

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
          next: `fix the cause, then run 'stuck retry --loop "${first.loop}" --key ${first.key}', or abandon the row with 'stuck drop'`,
        }),
  };
}

/** Null when there is no such row. */
export async function retryStuck(db: Db, loop: string, key: string | null) {
  const retried = await forgetStuckRows(db, loop, key);
  if (retried === 0) return null;
  return {
    facts: { retried },
    next: "run 'stuck list' in a minute: rows that still fail are listed again",
  };
}

/** Null when there is no such row. */
export async function dropStuck(db: Db, loop: string, key: string) {
  const stuck = await listStuckRows(db, 1, { loop, key });
  if (stuck.length === 0) return null;
  const next = await drop(db, loop, key);
  await forgetStuckRows(db, loop, key);
  return { facts: { dropped: key }, next };
}

/** Abandons the row and returns the next step. What a key names depends on the loop. */
async function drop(db: Db, loop: string, key: string): Promise<string> {
  if (isTaskLoop(loop)) {
    await giveUpTask(db, key as TaskId);
    return `run 'task show --task ${key}' in a few seconds: a worker fails the task and releases its hold`;
  }
  switch (loop) {
    case deliveriesLoop:
      await giveUpDelivery(db, key as DeliveryId);
      return "nothing: the delivery is abandoned, and its owner can request it again";
    case collectLoop:
      await forgetObject(db, key);
      return `delete ${key} from the storage by hand if it exists`;
    case sweepUpscalesLoop:
      await deleteUpscale(db, key as TaskId);
      return "nothing: its files in the storage are deleted within a day";
    default:
      return "nothing: this version has no such loop, and its record is deleted";
  }
}
