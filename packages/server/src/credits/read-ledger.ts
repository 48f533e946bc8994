import { z } from "zod";
import type { Db } from "../db/database.ts";
import { listTransfers } from "./ledger.ts";

const cursorRule = "must be the nextCursor of the page before";
const limitRule = "must be a whole number from 1 to 100";

export const ledgerQuery = z.strictObject({
  cursor: z.coerce
    .number({ error: cursorRule })
    .int()
    .min(1)
    .optional()
    .meta({ description: "The nextCursor of the page before; left out, the newest." }),
  limit: z.coerce
    .number({ error: limitRule })
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: "Items on a page." }),
});

export const ledgerPage = z.object({
  items: z.array(
    z
      .object({
        number: z.int().meta({ description: "1, 2, 3 … within the account, without gaps." }),
        kind: z.enum(["grant", "hold", "raise", "capture", "release", "adjust"]).meta({
          description:
            "A task holds its price, raises the hold when its price becomes known later, and ends with capture (charged) or release (given back).",
        }),
        amount: z.int().meta({
          description: "Credits; below 0 where an adjust took some or a raise made a hold smaller.",
        }),
        taskId: z.string().nullable().meta({ description: "The task that caused it." }),
        credits: z.int().meta({ description: "The balance after it." }),
        availableCredits: z.int().meta({ description: "The balance after it, less the holds." }),
        note: z.string().nullable(),
        time: z.int().meta({ description: "Epoch milliseconds." }),
      })
      .meta({ id: "Transfer" }),
  ),
  nextCursor: z.int().nullable().meta({ description: "null on the last page." }),
});

/** A page of an account's statement: every transfer with the balance after it, newest first. */
export async function readLedger(
  db: Db,
  accountId: string,
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
      taskId: row.kind === "grant" || row.kind === "adjust" ? null : row.causeId,
      credits: row.creditsAfter,
      availableCredits: row.creditsAfter - row.heldAfter,
      note: row.note,
      time: row.createdAt.getTime(),
    })),
    nextCursor: last === 1 ? null : last, // numbers have no gaps: 1 is the first there ever was
  };
}
