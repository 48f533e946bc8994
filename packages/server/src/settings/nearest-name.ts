import assert from "node:assert";

/** The known name with the fewest edits from what was typed; null if none is close. */
export function nearestName(
  typed: string,
  known: readonly string[],
  editsMax = Number.POSITIVE_INFINITY,
): string | null {
  const [nearest] = known
    .map((name) => ({ name, edits: editsBetween(typed, name) }))
    .sort((a, b) => a.edits - b.edits);
  if (nearest === undefined) return null;
  return nearest.edits <= Math.min(editsMax, nearest.name.length / 2) ? nearest.name : null;
}

/** Levenshtein distance, row by row. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (letter === b[column - 1] ? 0 : 1),
        ),
      );
    above = current;
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  const edits = row[column];
  assert(edits !== undefined, "a row has a number for each letter");
  return edits;
}
