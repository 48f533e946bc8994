import { z } from "zod";
import type { Db } from "../db/database.ts";
import { type TransferKind, transferKinds } from "../db/tables/credits.ts";
import { numberCursor, pageLimit } from "../http/paging.ts";
import type { AccountId } from "../ids.ts";
import { listTransfers } from "./ledger.ts";

export const ledgerQuery = z.strictObject({
  cursor: numberCursor(),
  limit: pageLimit({ usual: 20, max: 100 }),
});

export const ledgerPage = z.object({
  items: z.array(
    z
      .object({
        number: z.int().meta({ description: "Consecutive within the account, starting at 1." }),
        kind: z.enum(transferKinds).meta({
          description:
            "A task holds its price, raises the hold if the price becomes known later, and ends with a capture (charged) or a release (refunded). An expiry takes what is left of credits that were granted until a certain time.",
        }),
        amount: z.int().meta({
          description:
            "Credits. Negative for an adjustment that deducts credits and for a raise that reduces a hold.",
        }),
        taskId: z
          .string()
          .nullable()
          .meta({ description: "The task that caused the entry, if any." }),
        credits: z.int().meta({ description: "`credits` after this entry." }),
        availableCredits: z.int().meta({ description: "`availableCredits` after this entry." }),
        note: z.string().nullable(),
        time: z.int().meta({ description: "Epoch milliseconds." }),
      })
      .meta({ id: "Transfer" }),
  ),
  nextCursor: z.int().nullable().meta({ description: "null on the last page." }),
});

const isOfTask = (kind: TransferKind) => !["grant", "adjust", "expiry"].includes(kind);

/** A page of an account's ledger: every transfer with the balance after it, newest first. */
export async function readLedger(
  db: Db,
  accountId: AccountId,
  query: z.output<typeof ledgerQuery>,
): Promise<z.output<typeof ledgerPage>> {
  const before = query.cursor ?? null;
  const rows = await listTransfers(db, accountId, { before, rowsMax: query.limit });
  const last = rows.at(-1)?.number ?? 1;
  return {
    items: rows.map((row) => ({
      number: row.number,
      kind: row.kind,
      amount: row.amount,
      taskId: isOfTask(row.kind) ? row.causeId : null,
      credits: row.creditsAfter,
      availableCredits: row.creditsAfter - row.heldAfter,
      note: row.note,
      time: row.createdAt.getTime(),
    })),
    nextCursor: last === 1 ? null : last, // numbers have no gaps: 1 is the first transfer
  };
}
