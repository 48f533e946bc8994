import { ZoetropeError } from "./errors.ts";

const sizes: Readonly<Record<string, string>> = {
  "16:9": "1280x720",
  "9:16": "720x1280",
  "1:1": "720x720",
  "4:3": "960x720",
  "3:4": "720x960",
  "21:9": "1280x540",
};

/** The input that selects the aspect ratio where it is not called so, and its value. */
const ratioInputs: Readonly<Record<string, { input: string; toValue(ratio: string): string }>> = {
  sd2: { input: "resolution", toValue: (ratio) => sizes[ratio] ?? ratio },
  "sd2-fast": { input: "resolution", toValue: (ratio) => sizes[ratio] ?? ratio },
  happyhorse: { input: "ratio", toValue: (ratio) => ratio },
};

/** The inputs as the service takes them: `aspectRatio` by the model's name for it, seconds as text. */
export function toOwnInputs(
  model: string,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { duration } = values;
  const inputs = typeof duration === "number" ? { ...values, duration: String(duration) } : values;
  const { aspectRatio, ...others } = inputs as Record<string, unknown>;
  const own = Object.hasOwn(ratioInputs, model) ? ratioInputs[model] : undefined;
  if (own === undefined || aspectRatio === undefined) return { ...inputs };
  if (aspectRatio === null) return others; // null is the same as leaving it out
  const { input, toValue } = own;
  if (others[input] !== undefined && others[input] !== null)
    throw new ZoetropeError(`Give aspectRatio or ${input}, not both.`);
  return { ...others, [input]: toValue(String(aspectRatio)) };
}
