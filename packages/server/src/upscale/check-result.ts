import type { FilmPlan } from "../db/schema.ts";
import { shortSideOf } from "../models/upscaler.ts";

/** A result that is longer or shorter than its source by more is wrong. */
export const differenceMsMax = 100;
/** Encoders want sides that are multiples of up to 16. */
const shapeDifferenceMax = 0.02;

/** How long the picture is seen. */
export function shownMsOf({ tick, firstAt, endsAt }: FilmPlan): number {
  return ((endsAt - firstAt) * 1000 * tick.over) / tick.under;
}

/**
 * What is wrong with the sides of a result, in words for operators. Ours are exactly those of the plan;
 * a vendor's only have to be what was paid for, in the shape of the source.
 */
export function faultOfSides(
  film: FilmPlan,
  { width, height }: { width: number; height: number },
): string | null {
  if (width === film.width && height === film.height) return null;
  const wrong = `it is ${width}x${height} instead of ${film.width}x${film.height}`;
  if (film.by === "us") return wrong;
  const isLarge = Math.min(width, height) >= shortSideOf[film.target];
  const isEven = width % 2 === 0 && height % 2 === 0;
  const stretch = (width * film.height) / (height * film.width);
  const isAlike = Math.abs(stretch - 1) <= shapeDifferenceMax;
  return isLarge && isEven && isAlike ? null : wrong;
}
