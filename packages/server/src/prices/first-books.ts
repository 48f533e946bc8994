import { readFileSync } from "node:fs";
import { type PriceDocument, priceDocument } from "./document.ts";

const migration = new URL("../../migrations/0057-price-books.sql", import.meta.url);

/** The books that the service comes with, in version 1, from the migration that makes them. */
export function readFirstBooks(): ReadonlyMap<string, PriceDocument> {
  const sql = readFileSync(migration, "utf8");
  return new Map(
    [...sql.matchAll(/^\('(\w+)', 1, \$\$(.+?)\$\$/gms)].map(([, name = "", text = ""]) => [
      name,
      priceDocument.parse(JSON.parse(text)),
    ]),
  );
}
