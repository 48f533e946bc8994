import type { DirectoryDb } from "../db/database.ts";
import type { Log } from "../log.ts";
import { type Books, type BookVersion, createBooks } from "./books.ts";
import { type PriceDocument, priceDocument } from "./document.ts";
import { listVersions, readDocument } from "./queries.ts";

/** A published version of a price book. */
export type PriceVersion = BookVersion<PriceDocument>;

/** The price books as this process last read them. */
export type PriceBooks = Books<PriceDocument>;

export function createPriceBooks(ctx: { db: DirectoryDb; log: Log }): PriceBooks {
  return createBooks(ctx, { name: "prices", document: priceDocument, listVersions, readDocument });
}
