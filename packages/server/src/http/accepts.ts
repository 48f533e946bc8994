/** Whether `Accept` names this media type itself and does not prefer JSON. */
export function prefersType(accept: string | undefined, type: string): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const ofType = weights.get(type) ?? 0;
  return ofType > 0 && ofType >= (weights.get("application/json") ?? 0);
}
