/** Longer text of a vendor or a user is cut off; no link of the service is as long. */
const charactersMax = 4_000;
/** Controls, and characters that reorder or hide text: an agent would read what a person does not see. */
const unseen =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text of vendors and users as data: without characters that are not seen, and bounded. */
export function cleanText(text: string): string {
  const clean = text.replace(unseen, " ").toWellFormed();
  return clean.length > charactersMax ? `${clean.slice(0, charactersMax).toWellFormed()}…` : clean;
}

/** Cleans every text in a value, including the names of members. */
export function cleanAll(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [cleanText(name), cleanAll(member)]),
  );
}
