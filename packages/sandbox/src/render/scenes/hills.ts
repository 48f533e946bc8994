import { between, blend, transparent } from "./draw.ts";
import { type Image, mix, type Palette, type Rgb } from "./paint.ts";
import { type RidgePlan, ridge } from "./ridge.ts";
import { clouds, type Layer, lay, type PaintScene, paintSky, type Stage } from "./stage.ts";

const hills: readonly RidgePlan[] = [
  { name: "far", top: 0.6, rise: 110, wave: 330, speed: 6, nearness: 0.3 },
  { name: "middle", top: 0.7, rise: 90, wave: 280, trees: 14, speed: 14, nearness: 0.52 },
  { name: "near", top: 0.8, rise: 70, wave: 300, trees: 40, speed: 30, nearness: 0.76 },
  { name: "front", top: 0.94, rise: 30, wave: 420, speed: 64, nearness: 1 },
];

/** Rolling hills with hot-air balloons over them. */
export const paintHills: PaintScene = (stage) => {
  const { palette, random, width, height } = stage;
  const at = [width * between(random, 0.55, 0.82), height * between(random, 0.4, 0.52)] as const;
  const colour = mix(palette.skyLow, palette.light, 0.5);
  const drift = { top: height * 0.1, height: height * 0.42, speed: -8, cover: 0.52, colour };
  return [
    paintSky(stage, { horizon: 0.72, light: { at, diameter: 104 } }),
    clouds(stage, "clouds", drift),
    balloon(stage, "second", { x: between(random, 0.42, 0.56), y: 0.15, tall: 92 }),
    balloon(stage, "third", { x: between(random, 0.7, 0.86), y: 0.3, tall: 54 }),
    ...hills.map((plan) => ridge(stage, plan)),
    balloon(stage, "balloon", { x: between(random, 0.1, 0.3), y: 0.24, tall: 190 }),
  ];
};

interface BalloonPlan {
  x: number;
  y: number;
  tall: number;
}

function balloon(stage: Stage, name: string, { x, y, tall }: BalloonPlan): Layer {
  const { palette, random, unit } = stage;
  const height = tall * unit;
  const speed = (tall * 0.11 * unit).toFixed(3);
  const swing = (tall * 0.06 * unit).toFixed(3);
  const path = {
    x: `${Math.round(stage.width * x)}+${speed}*t`,
    y: `${Math.round(stage.height * y)}+${swing}*sin(t*1.1)`,
  };
  const [stripe, gap] =
    random() > 0.5 ? [palette.accent, palette.light] : [palette.second, palette.accent];
  const haze = Math.max(0, 0.5 - tall / 300);
  return lay(stage, name, { ...path, width: height * 0.7, height }, (width, paintedHeight) => {
    const image = transparent(width, paintedHeight, stripe);
    const coat = {
      stripe: mix(stripe, palette.skyMiddle, haze),
      gap: mix(gap, palette.skyMiddle, haze),
    };
    paintBalloon(image, coat, palette);
    return image;
  });
}

function paintBalloon(image: Image, { stripe, gap }: { stripe: Rgb; gap: Rgb }, palette: Palette) {
  const { width, height } = image;
  const radius = height * 0.33;
  const [centreX, centreY] = [width / 2, radius + 2];
  for (let y = 0; y < height; y++) {
    const dy = y - centreY;
    // below its middle the envelope narrows towards the basket
    const half = dy < 0 ? Math.sqrt(Math.max(0, radius ** 2 - dy ** 2)) : narrow(dy, radius);
    for (let x = 0; x < width; x++) {
      const dx = x + 0.5 - centreX;
      const inside = half - Math.abs(dx) + 0.5;
      if (half > 0 && inside > 0) {
        const turn = Math.asin(Math.max(-1, Math.min(1, dx / half)));
        const colour = Math.floor((turn / Math.PI + 0.5) * 9) % 2 === 0 ? stripe : gap;
        const dark = 0.42 * Math.max(0, -dx / radius) + 0.25 * Math.max(0, dy / radius);
        const bright = 0.3 * Math.max(0, dx / radius - 0.25);
        const shaded = mix(mix(colour, palette.ground, dark), palette.light, bright);
        blend(image, x, y, shaded, Math.min(1, inside));
      } else if (inBasket(dx, y, height, radius)) {
        blend(image, x, y, mix(palette.ground, stripe, 0.15), 1);
      }
    }
  }
}

function narrow(dy: number, radius: number): number {
  const depth = dy / (radius * 1.45);
  return depth > 1 ? 0 : radius * (1 - depth ** 2) ** 0.8 * 0.82 + radius * 0.18 * (1 - depth);
}

function inBasket(dx: number, y: number, height: number, radius: number): boolean {
  const half = radius * 0.2;
  if (y > height * 0.9) return Math.abs(dx) <= half;
  return y > height * 0.76 && Math.abs(Math.abs(dx) - half * 0.8) < Math.max(0.6, height / 160);
}
