import type { Image } from "../video/paint.ts";
import { mix, type Rgb } from "../video/palettes.ts";
import { blend, glow, limb, type Point, polygon } from "./draw.ts";
import { ease } from "./noise.ts";

/** A jellyfish at one moment of its pulse: the bell in its glow, and what hangs from it. */
export function paintJelly(image: Image, size: number, turn: number, bell: Rgb, rim: Rgb) {
  const middle = image.width / 2;
  const pulse = Math.sin(2 * Math.PI * turn);
  const [half, tall] = [size * (0.42 + 0.05 * pulse), size * (0.46 - 0.045 * pulse)];
  const edge = size * 0.06 + tall;
  glow(image, [middle, edge * 0.7], size * 0.6, bell, 0.3);
  for (let arm = -4; arm <= 4; arm++) {
    const length = size * (0.75 + 0.35 * Math.cos(arm * 1.7));
    let from: Point = [middle + arm * half * 0.2, edge - size * 0.05];
    for (let step = 1; step <= 14; step++) {
      const share = step / 14;
      const bend = Math.sin(2 * Math.PI * (share * 1.1 - turn) + arm) * size * 0.05 * share;
      const to: Point = [
        middle + arm * half * 0.2 * (1 + 0.3 * share) + bend,
        edge + length * share,
      ];
      const thick = size * (arm % 2 === 0 ? 0.02 : 0.032);
      limb(
        image,
        from,
        to,
        [thick * (1 - share * 0.6), thick * (0.95 - share * 0.6)],
        rim,
        0.5 * (1 - share * 0.75),
      );
      from = to;
    }
  }
  for (let y = Math.floor(edge - tall); y <= edge + size * 0.05; y++) {
    for (let x = Math.floor(middle - half); x <= middle + half; x++) {
      const [dx, dy] = [(x - middle) / half, (edge - y) / tall];
      const hem = 0.06 * Math.cos(dx * 14);
      const far = Math.hypot(dx, Math.max(0, dy));
      if (far > 1 || dy < hem - 0.06) continue;
      const shade = mix(bell, rim, ease(far * 1.1));
      const opacity = (0.32 + 0.5 * far ** 3) * Math.min(1, (1 - far) * 22);
      blend(
        image,
        x,
        y,
        mix(shade, [255, 255, 255], Math.max(0, 0.5 - Math.hypot(dx + 0.3, dy - 0.6) * 1.6)),
        opacity,
      );
    }
  }
}

/** A fish that swims to the right if `ahead` is 1, to the left if it is -1. */
export function paintFish(
  image: Image,
  [x, y]: Point,
  size: number,
  ahead: number,
  turn: number,
  colour: Rgb,
) {
  const beat = Math.sin(2 * Math.PI * turn) * 0.1;
  const at = (dx: number, dy: number): Point => [x + ahead * dx * size, y + dy * size];
  const body = Array.from({ length: 15 }, (_, step) => {
    const turned = (step / 14) * 2 * Math.PI;
    return at(0.5 * Math.cos(turned), 0.2 * Math.sin(turned) * (0.8 + 0.2 * Math.cos(turned)));
  });
  polygon(image, body, colour);
  polygon(
    image,
    [at(-0.42, 0), at(-0.72, -0.2 + beat), at(-0.62, beat), at(-0.72, 0.2 + beat)],
    colour,
  );
}
