import type { FastifyReply, FastifyRequest } from "fastify";
import { hashApiKey, isWellFormedApiKey } from "../accounts/api-key.ts";
import { type Caller, findCaller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { createRateLimit } from "./rate-limit.ts";

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
export function authenticate(ctx: Context, rememberMs: number) {
  const recall = rememberCallers(ctx, rememberMs);
  const limitRate = createRateLimit(ctx.config.REQUESTS_PER_MINUTE_MAX);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.isPublic || request.is404) return;
    const [scheme, key = ""] = (request.headers.authorization ?? "").split(" ");
    if (scheme?.toLowerCase() !== "bearer" || !isWellFormedApiKey(key))
      throw new ApiError("unauthorized");
    const caller = await recall(key);
    if (caller === undefined) throw new ApiError("unauthorized");
    request.caller = caller;
    limitRate(caller, reply);
  };
}

const rememberedMax = 10_000;

/**
 * Spares a busy key most of its lookups. What it costs: a revoked or expired key can read a while
 * longer. It cannot spend: accepting a task looks at the key again.
 */
function rememberCallers(ctx: Context, rememberMs: number) {
  const callers = new Map<string, { caller: Caller; until: number }>();
  return async (key: string): Promise<Caller | undefined> => {
    const hash = hashApiKey(key);
    const name = hash.toString("latin1");
    const known = callers.get(name);
    if (known !== undefined && known.until > performance.now()) return known.caller;
    const caller = await findCaller(ctx.pool, hash);
    callers.delete(name);
    if (caller === undefined) return undefined;
    callers.set(name, { caller, until: performance.now() + rememberMs });
    if (callers.size > rememberedMax) callers.delete(callers.keys().next().value ?? "");
    return caller;
  };
}
