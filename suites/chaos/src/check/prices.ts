/** The published prices, stated a second time: credits per second of output. */
const creditsPerSecond: Record<string, { A: number; B: number }> = {
  "sd2 720p": { A: 6, B: 40 },
  "sd2 1080p": { A: 15, B: 100 },
  "upscale 1080p": { A: 3, B: 25 },
};
/** The minimum seconds charged for an upscale, which is charged by the length of its source. */
const upscaleSecondsMin = 5;

export interface Priced {
  model: string;
  outputResolution: string;
  seconds: number;
}

export function priceOf(request: Priced, schedule: "A" | "B"): number | undefined {
  const { model, outputResolution, seconds } = request;
  const prices = creditsPerSecond[`${model} ${outputResolution}`];
  const billed = model === "upscale" ? Math.max(seconds, upscaleSecondsMin) : seconds;
  return prices === undefined ? undefined : prices[schedule] * billed;
}

/** Returns the first hold: the price, or the least for a source that nobody has measured yet. */
export function firstHoldOf(request: Priced, schedule: "A" | "B"): number | undefined {
  return priceOf(request.model === "upscale" ? { ...request, seconds: 0 } : request, schedule);
}
