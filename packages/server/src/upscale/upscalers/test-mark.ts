/** The letters of the mark on a grid of 3 columns and 5 rows. */
const letters = {
  T: ["###", ".#.", ".#.", ".#.", ".#."],
  E: ["###", "#..", "##.", "#..", "###"],
  S: ["###", "#..", "###", "..#", "###"],
} as const;
const word = ["T", "E", "S", "T"] as const;
const letterColumns = 4;
const columns = word.length * letterColumns + 1;
const rows = 7;
/** Shares of the frame: in its middle, where cropping does not remove it. */
const share = 0.5;

/**
 * Filters that write TEST across the middle of a frame, opaque, so that what is below cannot be restored.
 * Drawn of boxes: a confined ffmpeg has no fonts.
 */
export const testMark: readonly string[] = [
  box({ column: 0, row: 0, width: columns, height: rows }, "black"),
  ...word.flatMap((letter, index) =>
    letters[letter].flatMap((cells, row) =>
      runsOf(cells).map(({ from, width }) =>
        box({ column: index * letterColumns + 1 + from, row: row + 1, width, height: 1 }, "white"),
      ),
    ),
  ),
];

function box(
  { column, row, width, height }: { column: number; row: number; width: number; height: number },
  colour: string,
): string {
  const across = (cells: number) => `iw*${((share * cells) / columns).toFixed(5)}`;
  const down = (cells: number) => `ih*${((share * cells) / rows).toFixed(5)}`;
  const margin = (1 - share) / 2;
  const x = `iw*${margin}+${across(column)}`;
  const y = `ih*${margin}+${down(row)}`;
  // A pixel more: rounding leaves no gap between two boxes.
  return `drawbox=x=${x}:y=${y}:w=${across(width)}+1:h=${down(height)}+1:color=${colour}:t=fill`;
}

/** The runs of filled cells in a row of a letter. */
function runsOf(cells: string): { from: number; width: number }[] {
  return [...cells.matchAll(/#+/g)].map((run) => ({ from: run.index, width: run[0].length }));
}
