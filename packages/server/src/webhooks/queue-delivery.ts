import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { newId, shardOf } from "../ids.ts";

/** Makes a callback due, inside the transaction that makes it true. */
export async function queueDelivery(
  tx: Tx,
  delivery: { accountId: string; taskId: string; url: string; body: string },
): Promise<void> {
  const id = newId(shardOf(delivery.accountId));
  await tx
    .insertInto("deliveries")
    .values({
      id,
      account_id: delivery.accountId,
      task_id: delivery.taskId,
      url: delivery.url,
      body: delivery.body,
    })
    .execute();
  await tx
    .insertInto("open_deliveries")
    .values({ delivery_id: id, account_id: delivery.accountId, next_attempt_at: sql<Date>`now()` })
    .execute();
}
