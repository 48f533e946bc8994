import type { Image } from "../scenes/paint.ts";
import type { Layer } from "../scenes/stage.ts";

interface Frame {
  width: number;
  height: number;
}

/** The place of a thumbnail; `x` and `y` are its own corner, inside its white border. */
export interface Place {
  x: number;
  y: number;
  side: number;
  border: number;
}

const inRowMax = 6;

/** Square thumbnails in one or more rows above the foot of the frame, from the left. */
export function placeThumbs({ width, height }: Frame, count: number): Place[] {
  const unit = Math.min(width, height) / 720;
  const border = Math.max(2, Math.round(4 * unit));
  const [margin, foot, gap] = [56 * unit, 72 * unit, 2 * border + 10 * unit];
  const rows = Math.ceil(count / inRowMax);
  const columns = Math.ceil(count / rows);
  const room = Math.min(
    (width - 2 * margin - (columns - 1) * gap) / columns,
    (height * 0.44 - foot - rows * gap) / rows,
  );
  const side = Math.max(8, Math.floor(Math.min(140 * unit, room)));
  return Array.from({ length: count }, (_, at) => {
    const rowsBelow = rows - 1 - Math.floor(at / columns);
    const x = Math.round(margin + (at % columns) * (side + gap));
    return { x, y: Math.round(height - foot - side - rowsBelow * (side + gap)), side, border };
  });
}

/** The thumbnails, which all have the same side, in white borders and with nothing between them. */
export function galleryLayer(frame: Frame, thumbs: readonly Image[]): Layer {
  const places = placeThumbs(frame, thumbs.length);
  const [{ side: shown = 1, border = 1 } = {}] = places;
  const [left, top] = [places[0]?.x ?? 0, places[0]?.y ?? 0];
  const right = Math.max(...places.map(({ x }) => x)) + shown;
  const bottom = Math.max(...places.map(({ y }) => y)) + shown;
  const scale = (thumbs[0]?.width ?? 1) / shown;
  const [width, height] = [right - left + 2 * border, bottom - top + 2 * border];
  const [paintedWidth, paintedHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const bytes = Buffer.alloc(paintedWidth * paintedHeight * 4);
  const edge = Math.floor(border * scale);
  for (const [at, thumb] of thumbs.entries()) {
    const x = Math.floor(((places[at]?.x ?? 0) - left) * scale) + edge;
    const y = Math.floor(((places[at]?.y ?? 0) - top) * scale) + edge;
    for (let row = -edge; row < thumb.height + edge; row++) {
      const start = (y + row) * paintedWidth + x - edge;
      bytes.fill(255, start * 4, (start + thumb.width + 2 * edge) * 4);
      if (row < 0 || row >= thumb.height) continue;
      for (let column = 0; column < thumb.width; column++) {
        const from = (row * thumb.width + column) * 3;
        thumb.bytes.copy(bytes, (start + edge + column) * 4, from, from + 3);
      }
    }
  }
  const image = { width: paintedWidth, height: paintedHeight, pixelFormat: "rgba", bytes } as const;
  return { name: "gallery", image, width, height, x: `${left - border}`, y: `${top - border}` };
}
