import { randomInt } from "node:crypto";

const suffixLength = 12;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** `asset-<date>-<suffix>`, with a suffix that cannot be guessed. */
export function newAssetId(at: Date): string {
  const date = at.toISOString().replace(/\D/g, "").slice(0, 14);
  const letters = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]);
  return `asset-${date}-${letters.join("")}`;
}
