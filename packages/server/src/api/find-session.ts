import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { findSession, type Session } from "../people/session-queries.ts";
import { hashToken, isWellFormedToken } from "../people/token.ts";
import { takeOldest } from "../take-oldest.ts";
import { createGate } from "./limits/gate.ts";
import type { AddressLimit } from "./limits/rate-limit.ts";

const knownMax = 10_000;
/** Concurrent lookups of unknown tokens in this process. Guessing must not exhaust the pool. */
const lookups = { waitingMax: 200, waitMsMax: 2_000 };

/**
 * Finds the session of a token, with a query for every request: a session that was ended is refused at
 * once by every process. What was a session before does not pay for the guesses of others behind the same
 * address.
 */
export function createFindSession(ctx: Context, failures: AddressLimit) {
  const known = new Set<string>();
  const atOnceMax = Math.max(1, Math.floor(ctx.config.database.connectionsMax / 5));
  const gate = createGate(
    { ...lookups, atOnceMax },
    () => new ApiError("service_unavailable", { retryAfterSeconds: 1 }),
  );

  async function findUnknown(request: FastifyRequest, hash: Buffer) {
    failures.charge(request);
    const session = await gate
      .use("", () => findSession(ctx.home.pool, hash))
      .catch((error) => {
        if (!(error instanceof ApiError)) failures.refund(request); // a failure of the database is not charged
        throw error;
      });
    if (session !== undefined) failures.refund(request);
    return session;
  }

  return async (request: FastifyRequest, token: string): Promise<Session> => {
    if (!isWellFormedToken(token)) {
      failures.charge(request);
      throw new ApiError("signed_out");
    }
    const hash = hashToken(token);
    const name = hash.toString("latin1");
    const session = known.has(name)
      ? await findSession(ctx.home.pool, hash)
      : await findUnknown(request, hash);
    known.delete(name);
    if (session === undefined) throw new ApiError("signed_out");
    known.add(name);
    if (known.size > knownMax) takeOldest(known, 1);
    return session;
  };
}
