import { createHash } from "node:crypto";

/** A vendor draws lots; the sandbox derives, so that a repeated order finds its image painted. */
export function seedOf(prompt: string): number {
  return createHash("sha256").update(prompt.toWellFormed()).digest().readUInt32BE(0) >>> 1;
}
