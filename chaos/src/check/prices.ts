/** The published prices, stated a second time: credits per second of output. */
const creditsPerSecond: Record<string, { A: number; B: number }> = {
  "sd2 720p": { A: 6, B: 40 },
  "sd2 1080p": { A: 15, B: 100 },
};

export interface Priced {
  model: string;
  outputResolution: string;
  seconds: number;
}

export function priceOf(request: Priced, schedule: "A" | "B"): number | undefined {
  const prices = creditsPerSecond[`${request.model} ${request.outputResolution}`];
  return prices === undefined ? undefined : prices[schedule] * request.seconds;
}
