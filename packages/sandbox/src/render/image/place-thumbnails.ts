import type { Image } from "../video/paint.ts";

/** Where a thumbnail goes: its frame's upper left corner, and its own size inside the frame. */
export interface Framed {
  x: number;
  y: number;
  width: number;
  height: number;
  frame: number;
  shadow: number;
}

/** Framed thumbnails in the lower part of an image, as large as fit, in rows from the right. */
export function placeThumbnails(
  thumbnails: readonly Image[],
  image: { width: number; height: number },
): Framed[] {
  const unit = Math.min(image.width, image.height) / 720;
  const [margin, gap, foot] = [56 * unit, 8 * unit, 64 * unit];
  const frame = Math.max(1, Math.round(5 * unit));
  const shadow = Math.max(1, Math.round(4 * unit));
  const room = { width: image.width - 2 * margin, height: image.height * 0.4 - foot };
  const { side, columns } = largestCells(thumbnails.length, room, gap, 210 * unit);
  return thumbnails.map((thumbnail, at) => {
    const row = Math.floor(at / columns);
    const rowsBelow = Math.ceil(thumbnails.length / columns) - row - 1;
    const inRow = Math.min(columns, thumbnails.length - row * columns);
    const cellsRight = inRow - (at % columns) - 1;
    const inner = side - 2 * frame - shadow;
    const scale = inner / Math.max(thumbnail.width, thumbnail.height);
    const width = Math.max(1, Math.round(thumbnail.width * scale));
    const height = Math.max(1, Math.round(thumbnail.height * scale));
    const right = image.width - margin - cellsRight * (side + gap);
    const bottom = image.height - foot - rowsBelow * (side + gap);
    return {
      x: Math.round(right - side + (inner - width) / 2),
      y: Math.round(bottom - side + (inner - height) / 2),
      ...{ width, height, frame, shadow },
    };
  });
}

/** The number of columns that gives square cells of the greatest side. */
function largestCells(
  count: number,
  room: { width: number; height: number },
  gap: number,
  sideMax: number,
) {
  let best = { side: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const width = (room.width - gap * (columns - 1)) / columns;
    const height = (room.height - gap * (rows - 1)) / rows;
    const side = Math.floor(Math.min(width, height, sideMax));
    if (side > best.side) best = { side, columns };
  }
  return best;
}
