/** A task of the run, with the sandbox directives in its prompt. */
export interface VendorRequest {
  number: number;
  model: "sd2" | "sd2-fast" | "happyhorse" | "image-pro-2" | "image-plus-2";
  /** The vendor runs jobs, which can be polled. */
  hasJob: boolean;
  directives: string;
  body: { model: string; inputs: Record<string, unknown> };
}

/** Ways for a submit to fail: too many at the moment, and four ways to lose the response. */
const faults = ["throttle=1", "500", "reset", "timeout", "garbage"] as const;
const faultyShare = 0.3;

const deck = [
  ...Array<"sd2">(5).fill("sd2"),
  ...Array<"happyhorse">(3).fill("happyhorse"),
  "sd2-fast",
  "image-pro-2",
  "image-pro-2",
  "image-plus-2",
] as const;

/**
 * The share of faults is exact, and every fault meets every model. Prompts differ, so that requests can
 * be distinguished where a vendor knows nothing else of them.
 */
export function planVendors(count: number): VendorRequest[] {
  const faultEvery = 10;
  const faultyOfTen = Math.round(faultEvery * faultyShare);
  let faulty = 0;
  return Array.from({ length: count }, (_, number) => {
    const model = deck[number % deck.length] ?? "sd2";
    const isFaulty = (number * 7) % faultEvery < faultyOfTen;
    const directives = isFaulty ? `[sandbox:${faults[faulty++ % faults.length]}]` : "";
    return {
      number,
      model,
      hasJob: !model.startsWith("image"),
      directives,
      body: bodyOf(model, number, directives),
    };
  });
}

function bodyOf(model: VendorRequest["model"], number: number, directives: string) {
  const prompt = `Lanternfish no. ${number}. ${directives}`.trim();
  if (model.startsWith("image")) return { model, inputs: { prompt, resolution: "1k" } };
  if (model === "happyhorse") return { model, inputs: { prompt, duration: "3" } };
  return { model, inputs: { prompt, duration: "4s" } };
}

/** The number of the task in a prompt. */
export function numberIn(prompt: string): number | null {
  const number = /Lanternfish no\. (\d+)\./.exec(prompt)?.[1];
  return number === undefined ? null : Number(number);
}
