import { type Db, inTransaction } from "../../db/database.ts";
import { lockStatus } from "../queries.ts";
import { findLastDecision } from "./queries.ts";
import { joinQueue } from "./queue.ts";
import type { Reviewer } from "./reviewer.ts";

/** A decision continues the review by itself; this covers a wake-up that was lost. */
const askAgainMs = 10 * 60_000;

/** Puts an asset into the queue, where a person claims and judges it. */
export function createManualReviewer(db: Db): Reviewer {
  return {
    async review({ id: assetId, account_id: accountId }) {
      const waits = await inTransaction(db, async (tx) => {
        if ((await lockStatus(tx, assetId))?.status !== "PROCESSING") return false;
        const last = await findLastDecision(tx, assetId, 0);
        if (last !== undefined && last.verdict !== "undone") return false; // judged just now
        await joinQueue(tx, { assetId, accountId });
        return true;
      });
      return waits ? { kind: "waiting", forMs: askAgainMs } : { kind: "waiting" };
    },
  };
}
