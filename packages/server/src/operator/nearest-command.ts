/** The known command with the fewest edits from what was typed; null if none is close. */
export function nearestCommand(typed: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((name) => ({ name, edits: editsBetween(typed, name) }))
    .sort((a, b) => a.edits - b.edits);
  return nearest !== undefined && nearest.edits <= nearest.name.length / 2 ? nearest.name : null;
}

/** Levenshtein distance, row by row. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1),
        ),
      );
    above = current;
  }
  return above[b.length] ?? 0;
}
