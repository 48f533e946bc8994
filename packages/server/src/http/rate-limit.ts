import type { FastifyReply } from "fastify";
import type { Caller } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";

const windowMs = 60_000;
const windowsMax = 100_000;

/**
 * Counts the requests of each key in windows of a minute and refuses those beyond its limit. Every
 * answer says where the key stands, in the RateLimit headers of the IETF's draft. Counted per process:
 * with several of them a key can send as many times more.
 */
export function createRateLimit(requestsPerMinuteMax: number) {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (caller: Caller, reply: FastifyReply): void => {
    const limit = caller.requestsPerMinuteMax ?? requestsPerMinuteMax;
    const now = Math.trunc(performance.now()); // whole: sums of fractions can say 61 of 60 seconds
    let window = windows.get(caller.keyId);
    if (window === undefined || window.endsAt <= now) {
      windows.delete(caller.keyId); // so that the oldest window stays the first
      window = { count: 0, endsAt: now + windowMs };
      windows.set(caller.keyId, window);
      if (windows.size > windowsMax) windows.delete(windows.keys().next().value ?? "");
    }
    window.count++;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    reply.header("RateLimit-Policy", `"key";q=${limit};w=${windowMs / 1000}`);
    reply.header("RateLimit", `"key";r=${Math.max(limit - window.count, 0)};t=${seconds}`);
    if (window.count > limit)
      throw new ApiError("rate_limited", {
        message: `This key may send ${limit} requests a minute. Go on in ${seconds} s.`,
        retryAfterSeconds: seconds,
      });
  };
}
