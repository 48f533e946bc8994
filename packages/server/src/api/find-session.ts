import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { findSession, type Session } from "../people/session-queries.ts";
import { hashToken, isWellFormedToken } from "../people/token.ts";
import { createFindByHash } from "./find-by-hash.ts";
import type { AddressLimit } from "./limits/rate-limit.ts";

/**
 * Finds the session of a token, with a query for every request: a session that was ended is refused at
 * once by every process.
 */
export function createFindSession(ctx: Context, failures: AddressLimit) {
  const find = createFindByHash<Session>(ctx, failures);
  return async (request: FastifyRequest, token: string): Promise<Session> => {
    if (!isWellFormedToken(token)) throw new ApiError("signed_out");
    const hash = hashToken(token);
    const session = await find(request, hash, () => findSession(ctx.directory.pool, hash));
    if (session === undefined) throw new ApiError("signed_out");
    return session;
  };
}
