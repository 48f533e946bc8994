import assert from "node:assert";

/** The row of a statement that always returns one, such as a sum or a function call. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  assert(row !== undefined && rows.length === 1, `the statement returned ${rows.length} rows`);
  return row;
}

/** Returns the number of rows that an insert, update or delete changed. */
export function changedRows({ numAffectedRows }: { readonly numAffectedRows?: bigint }): number {
  assert(numAffectedRows !== undefined, "the statement is not an insert, update or delete");
  return Number(numAffectedRows);
}
