/** A customer's request. None can fail by itself: every failure is the service's own. */
export interface TaskRequest {
  number: number;
  /** The idempotency key, and the end of its callback's path. */
  key: string;
  path: "/api/v1/jobs/createTask" | "/api/v1/upscale/create";
  body: Record<string, unknown>;
}

const upscaleEvery = 25;
const happyhorseEvery = 20;
const imageEvery = 5;

export function requestOf(number: number, clipUrl: string): TaskRequest {
  const key = `outage-${number}`;
  if (number % upscaleEvery === 1) {
    const body = { source: { type: "url", url: clipUrl }, targetResolution: "1080p" };
    return { number, key, path: "/api/v1/upscale/create", body };
  }
  return { number, key, path: "/api/v1/jobs/createTask", body: generationOf(number) };
}

/** Rendering costs more than all else, so most videos share a prompt; they are distinguished by their callback. */
function generationOf(number: number): Record<string, unknown> {
  const prompt = `Lighthouse no. ${number}.`;
  if (number % happyhorseEvery === 2)
    return { model: "happyhorse", inputs: { prompt, duration: "3" } };
  if (number % imageEvery === 3)
    return { model: "image-pro-2", inputs: { prompt, resolution: "1k" } };
  const inputs = { prompt: "A lighthouse above the fog.", duration: "4s", generateAudio: false };
  return { model: "sd2", inputs };
}

/** The number of the request that a prompt belongs to; null for the shared one. */
export function numberIn(prompt: string): number | null {
  const number = /Lighthouse no\. (\d+)\./.exec(prompt)?.[1];
  return number === undefined ? null : Number(number);
}
