import { createHash } from "node:crypto";

/** A vendor chooses at random; the sandbox derives, so that a repeated request finds its image rendered. */
export function seedOf(prompt: string): number {
  return createHash("sha256").update(prompt.toWellFormed()).digest().readUInt32BE(0) >>> 1;
}
