import type { Image } from "./paint.ts";

interface Frame {
  width: number;
  height: number;
}

/** Where a thumbnail goes in the video; `x` and `y` are its own corner, inside its frame. */
export interface Place {
  x: number;
  y: number;
  side: number;
}

const inRowMax = 6;

/** Square thumbnails in one or two rows above the foot of the video, from the left. */
export function placeThumbs({ width, height }: Frame, count: number): Place[] {
  const unit = Math.min(width, height) / 720;
  const border = borderOf({ width, height });
  const [margin, foot, gap] = [56 * unit, 72 * unit, 2 * border + 10 * unit];
  const rows = count > inRowMax ? 2 : 1;
  const columns = Math.max(1, Math.ceil(count / rows));
  const room = (width - 2 * margin - (columns - 1) * gap) / columns;
  const side = Math.max(8, Math.floor(Math.min((rows === 1 ? 140 : 104) * unit, room)));
  return Array.from({ length: count }, (_, at) => {
    const rowsBelow = rows - 1 - Math.floor(at / columns);
    return {
      x: Math.round(margin + (at % columns) * (side + gap)),
      y: Math.round(height - foot - side - rowsBelow * (side + gap)),
      side,
    };
  });
}

/** The thumbnails in white frames, as one image with nothing between them. */
export function paintGallery(thumbs: readonly Image[], places: readonly Place[], frame: Frame) {
  const border = borderOf(frame);
  const left = Math.min(...places.map(({ x }) => x)) - border;
  const top = Math.min(...places.map(({ y }) => y)) - border;
  const right = Math.max(...places.map(({ x, side }) => x + side)) + border;
  const bottom = Math.max(...places.map(({ y, side }) => y + side)) + border;
  const [width, height] = [right - left, bottom - top];
  const bytes = Buffer.alloc(width * height * 4);
  for (const [at, { x, y, side }] of places.entries()) {
    const thumb = thumbs[at];
    if (!thumb) continue;
    for (let row = -border; row < side + border; row++) {
      for (let column = -border; column < side + border; column++) {
        const isInside = row >= 0 && row < side && column >= 0 && column < side;
        const from = (row * thumb.width + column) * 3;
        const to = ((y - top + row) * width + x - left + column) * 4;
        for (let part = 0; part < 3; part++) {
          bytes[to + part] = isInside ? (thumb.bytes[from + part] ?? 0) : 255;
        }
        bytes[to + 3] = 255;
      }
    }
  }
  const image: Image = { width, height, pixelFormat: "rgba", bytes };
  return { image, x: left, y: top };
}

function borderOf({ width, height }: Frame): number {
  return Math.max(2, Math.round(Math.min(width, height) / 180));
}
