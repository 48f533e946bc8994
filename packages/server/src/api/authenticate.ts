import type { FastifyReply, FastifyRequest } from "fastify";
import { isWellFormedApiKey } from "../accounts/api-key.ts";
import type { Caller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { type CallerMemory, findCallerOnce } from "./find-caller-once.ts";
import { createAddressLimit, createRateLimit } from "./limits/rate-limit.ts";
import type { KeyUses } from "./note-key-uses.ts";
import { checkScope } from "./scopes.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Reachable without a key. */
    isPublic?: boolean;
  }
}

/** Every route needs a key unless it says otherwise: forgetting to protect one is not possible. */
export function authenticate(ctx: Context, memory: CallerMemory, uses: KeyUses) {
  const find = findCallerOnce(ctx, memory);
  const limitRate = createRateLimit(ctx.config.api.requestsPerMinuteMax);
  const failures = createAddressLimit(
    ctx.config.api.failedAuthenticationsPerMinuteMax,
    "requests without a valid API key",
  );

  async function identify(request: FastifyRequest): Promise<Caller> {
    const [scheme, key = ""] = (request.headers.authorization ?? "").split(" ");
    if (scheme?.toLowerCase() !== "bearer" || !isWellFormedApiKey(key)) {
      failures.charge(request);
      throw new ApiError("unauthorized");
    }
    const caller = await find(key, {
      charge: () => failures.charge(request),
      refund: () => failures.refund(request),
    });
    if (caller === undefined) throw new ApiError("unauthorized");
    return caller;
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.isPublic || request.is404) return;
    const caller = await identify(request);
    request.caller = caller;
    uses.note(caller.keyId);
    limitRate(caller, reply);
    checkScope(caller, request);
  };
}
