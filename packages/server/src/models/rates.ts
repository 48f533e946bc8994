import assert from "node:assert";
import type { OutputResolution, UpscaleResolution } from "./request.ts";

/**
 * Credits per unit by rate key: what a price book says of one model. A model definition lists the keys that
 * it needs.
 */
export type Rates = Readonly<Record<string, number>>;

const withVideo = ".withVideo";
const upscale = "upscale.";

/** The keys of a video model: per second of output, with video input too, and what an upscale adds. */
export function videoRateKeys(
  resolutions: readonly OutputResolution[],
  { takesVideo, upscales }: { takesVideo: boolean; upscales: readonly UpscaleResolution[] },
): string[] {
  return [
    ...resolutions.flatMap((resolution) => [
      videoRateKey(resolution, false),
      ...(takesVideo ? [videoRateKey(resolution, true)] : []),
    ]),
    ...upscales.map(upscaleRateKey),
  ];
}

export function videoRateKey(resolution: string, hasVideo: boolean): string {
  return hasVideo ? `${resolution}${withVideo}` : resolution;
}

export function upscaleRateKey(target: UpscaleResolution): string {
  return `${upscale}${target}`;
}

/** The keys of an image model; `quality` is null where there is no choice. */
export function imageRateKey(resolution: string, quality: string | null): string {
  return quality === null ? resolution : `${resolution}.${quality}`;
}

/** What a rate key is for, for tables of prices. */
export type RateKeyParts =
  | { kind: "output"; resolution: string; hasVideo: boolean; quality: string | null }
  | { kind: "upscale"; target: string };

export function partsOfRateKey(key: string): RateKeyParts {
  if (key.startsWith(upscale)) return { kind: "upscale", target: key.slice(upscale.length) };
  const [resolution = "", rest = null] = key.split(".");
  const hasVideo = key.endsWith(withVideo);
  return { kind: "output", resolution, hasVideo, quality: hasVideo ? null : rest };
}

/** The rate of a key. A price is computed only with rates that have all keys of the model. */
export function rateOf(rates: Rates, key: string, of: string): number {
  const rate = Object.hasOwn(rates, key) ? rates[key] : undefined;
  assert(rate !== undefined, `${of} has no price for ${key}`);
  return rate;
}
