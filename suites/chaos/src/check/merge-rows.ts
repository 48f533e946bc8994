import type { Rows, TransferRow } from "./rows.ts";

/**
 * The rows of several shards as those of one database. The transfers of an account that moved were
 * committed a second time where it is now: their order is that of their numbers, and each counts from
 * when it was posted.
 */
export function mergeRows(shards: readonly Rows[], movedIds: ReadonlySet<string>): Rows {
  const all = <Name extends keyof Rows>(name: Name) =>
    shards.flatMap((rows): Rows[Name][number][] => rows[name]) as Rows[Name];
  const asPosted = (transfer: TransferRow): TransferRow =>
    movedIds.has(transfer.accountId)
      ? { ...transfer, committedUs: 1_000 * transfer.postedMs }
      : transfer;
  return {
    accounts: all("accounts"),
    transfers: all("transfers")
      .map(asPosted)
      .sort((a, b) => a.number - b.number),
    entries: all("entries"),
    lots: all("lots"),
    lotUses: all("lotUses"),
    tasks: all("tasks"),
    openTasks: all("openTasks"),
    idempotencyKeys: all("idempotencyKeys"),
    deliveries: all("deliveries"),
    attempts: all("attempts"),
    openDeliveries: all("openDeliveries"),
    usageHours: all("usageHours"),
    usageDays: all("usageDays"),
  };
}
