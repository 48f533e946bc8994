import { createHash, randomBytes } from "node:crypto";
import type { DirectoryContext } from "../../context.ts";
import type { PersonId } from "../../ids.ts";
import { insertChallenge, takeChallenge } from "./queries.ts";

const challengeBytes = 32;

/** Creates a challenge that can be used once, within five minutes; with a person, by that person alone. */
export async function newChallenge(
  ctx: DirectoryContext,
  personId: PersonId | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(challengeBytes));
  await insertChallenge(ctx.db, hashOf(challenge), personId);
  return challenge;
}

/**
 * Takes the challenge that a browser says it signed; null: there is none. Whether the signature is right or
 * not, the same challenge is not accepted again.
 */
export async function takeAnswered(
  ctx: DirectoryContext,
  clientDataJson: string,
  personId: PersonId | null,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJson);
  if (challenge === null) return null;
  const hash = hashOf(Buffer.from(challenge, "base64url"));
  return (await takeChallenge(ctx.db, hash, personId)) ? challenge : null;
}

function challengeIn(clientDataJson: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, "base64url").toString("utf8"));
    if (typeof data !== "object" || data === null || !("challenge" in data)) return null;
    return typeof data.challenge === "string" ? data.challenge : null;
  } catch {
    return null;
  }
}

function hashOf(challenge: Uint8Array): Buffer {
  return createHash("sha256").update(challenge).digest();
}
