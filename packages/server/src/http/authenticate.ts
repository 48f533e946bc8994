import type { FastifyReply, FastifyRequest } from "fastify";
import { hashApiKey, isWellFormedApiKey } from "../accounts/api-key.ts";
import { type Account, findAccountByKeyHash } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    account: Account;
  }
  interface FastifyContextConfig {
    /** Reachable without a key. */
    isPublic?: boolean;
  }
}

/** Every route needs a key unless it says otherwise: forgetting to protect one is not possible. */
export function authenticate(ctx: Context) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.isPublic || request.is404) return;
    const [scheme, key = ""] = (request.headers.authorization ?? "").split(" ");
    if (scheme?.toLowerCase() !== "bearer" || !isWellFormedApiKey(key))
      throw new ApiError("unauthorized");
    const account = await findAccountByKeyHash(ctx.db, hashApiKey(key));
    if (account === undefined) throw new ApiError("unauthorized");
    request.account = account;
  };
}
