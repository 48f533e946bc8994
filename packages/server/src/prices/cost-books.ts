import type { DirectoryDb } from "../db/database.ts";
import type { RecordedCost } from "../db/tables/tasks.ts";
import type { Log } from "../log.ts";
import type { Usage } from "../vendors/read-usage.ts";
import { type Books, createBooks } from "./books.ts";
import { type CostDocument, costDocument } from "./cost-document.ts";
import { type CostedSubmit, costOf } from "./cost-of.ts";
import { listCostVersions, readCostDocument } from "./cost-queries.ts";

/** The cost books as this process last read them, by the names of vendor accounts. */
export type CostBooks = Books<CostDocument>;

export function createCostBooks(ctx: { db: DirectoryDb; log: Log }): CostBooks {
  return createBooks(ctx, {
    name: "costs",
    document: costDocument,
    listVersions: listCostVersions,
    readDocument: readCostDocument,
  });
}

/**
 * Returns the cost of a submit as it is recorded, by the last published version that is valid at the time of the
 * submit; null if the vendor account has none. It waits for nothing: no task waits for a cost.
 */
export function recordableCost(
  books: CostBooks,
  { vendorAccount, at, usage }: { vendorAccount: string; at: Date; usage: Usage | null },
  submit: CostedSubmit,
): RecordedCost | null {
  const versions = books.current().get(vendorAccount);
  const found = versions?.findLast(({ validFrom }) => validFrom <= at);
  if (found === undefined) return null;
  const { units, micros, currency, source } = costOf(usage, submit, found.document);
  return {
    units,
    micros: micros === null ? null : String(micros),
    currency,
    version: found.version,
    source,
  };
}
