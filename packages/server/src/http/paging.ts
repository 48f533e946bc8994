import { z } from "zod";
import { invalid } from "../errors.ts";
import { parseId, type Uuid } from "../ids.ts";

/** The parameters that the lists of the API share: a page is requested by cursor and limit. */

export const cursorRule = "must be the nextCursor of the previous page";
/** The metadata of a cursor for its description. */
export const cursorMeta = {
  description: "The nextCursor of the previous page. Omit it for the first page.",
};
export const timeRule = "must be a time in ISO 8601, such as 2026-01-31T12:00:00Z";

/** A cursor that is an id or another short text; its owner parses it. */
export function textCursor(charactersMax = 100) {
  return z.string().max(charactersMax).optional().meta(cursorMeta);
}

/** A cursor that is a number of the database. */
export function numberCursor() {
  const error = cursorRule;
  return z.coerce
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(Number.MAX_SAFE_INTEGER, { error })
    .optional()
    .meta(cursorMeta);
}

/** Returns the schema of the number of items per page. */
export function pageLimit(
  { usual, max }: { usual: number; max: number },
  description = "Number of items per page.",
) {
  const error = `must be a whole number from 1 to ${max}`;
  return z.coerce
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(max, { error })
    .default(usual)
    .meta({ description });
}

/** A cursor that is the id of the last item; null for the first page. */
export function readIdCursor<Id extends Uuid>(cursor: string | undefined): Id | null {
  return cursor === undefined ? null : (parseId<Id>(cursor) ?? refuseCursor());
}

export function refuseCursor(): never {
  throw invalid("cursor", cursorRule);
}

/** The page of `limit` rows, of rows that were read with one more to know whether another page follows. */
export function cutPage<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): { page: Row[]; nextCursor: Cursor | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
