/**
 * Whether `Accept` names this media type itself and prefers it to JSON, which a range such as the one for
 * everything names too: where both are as welcome, it is JSON.
 */
export function prefersType(accept: string | undefined, type: string): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const ofType = weights.get(type) ?? 0;
  const rangesOfJson = ["application/json", "application/*", "*/*"]; // the narrowest counts
  const ofJson = rangesOfJson.map((range) => weights.get(range)).find((one) => one !== undefined);
  return ofType > 0 && ofType > (ofJson ?? 0);
}
