/** Two ratios that differ by less are the same: 1280x540 is called 21:9. */
const tolerance = 0.02;

export interface Fitted {
  ratio: string;
  isExact: boolean;
}

/** The ratio of those offered that is nearest to `W:H` or `WxH`; undefined if that is neither. */
export function fitRatio(wanted: string, offered: readonly string[]): Fitted | undefined {
  const target = ratioOf(wanted);
  if (target === undefined) return undefined;
  let nearest: { ratio: string; distance: number } | undefined;
  for (const ratio of offered) {
    const distance = Math.abs(Math.log((ratioOf(ratio) ?? 1) / target));
    if (nearest === undefined || distance < nearest.distance) nearest = { ratio, distance };
  }
  return nearest && { ratio: nearest.ratio, isExact: nearest.distance < tolerance };
}

export function sidesOf(text: string): [number, number] | undefined {
  const [, first, second] = /^(\d+(?:\.\d+)?)[:x](\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const sides: [number, number] = [Number(first), Number(second)];
  return sides.every((side) => side > 0) ? sides : undefined;
}

function ratioOf(text: string): number | undefined {
  const sides = sidesOf(text);
  return sides && sides[0] / sides[1];
}
