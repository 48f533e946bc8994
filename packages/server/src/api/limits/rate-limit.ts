import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../errors.ts";
import type { KeyId, PersonId } from "../../ids.ts";
import { clientAddressOf } from "./client-address.ts";
import { createPerMinute } from "./per-minute.ts";

interface Sender {
  kind: "key" | "person";
  id: KeyId | PersonId;
  /** `null`: the limit of the deployment. */
  requestsPerMinuteMax: number | null;
}

/**
 * Counts the requests of each key or person in windows of one minute and refuses those beyond the limit.
 * Every response carries the RateLimit headers of the IETF draft. Counted per process: with several
 * processes a key can send as many times more.
 */
export function createRateLimit(requestsPerMinuteMax: number) {
  const perMinute = createPerMinute();
  return (sender: Sender, reply: FastifyReply): void => {
    const { kind } = sender;
    const limit = sender.requestsPerMinuteMax ?? requestsPerMinuteMax;
    const { count, secondsLeft } = perMinute.add(sender.id);
    reply.header("RateLimit-Policy", `"${kind}";q=${limit};w=60`);
    reply.header("RateLimit", `"${kind}";r=${Math.max(limit - count, 0)};t=${secondsLeft}`);
    if (count > limit)
      throw new ApiError("rate_limited", {
        message: `This ${kind === "key" ? "API key" : "person"} is limited to ${limit} requests per minute. Retry in ${secondsLeft} s.`,
        retryAfterSeconds: secondsLeft,
      });
  };
}

export interface AddressLimit {
  /** Counts one request of the address; throws 429 beyond the limit. */
  charge(request: FastifyRequest): void;
  /** Uncounts a request that turned out to be valid. */
  refund(request: FastifyRequest): void;
}

/** Counts requests without a key by the address they come from, per process. */
export function createAddressLimit(perMinuteMax: number, what: string): AddressLimit {
  const perMinute = createPerMinute();
  return {
    charge(request) {
      const { count, secondsLeft } = perMinute.add(clientAddressOf(request));
      if (count > perMinuteMax)
        throw new ApiError("rate_limited", {
          message: `Too many ${what} from this IP address. Retry in ${secondsLeft} s.`,
          retryAfterSeconds: secondsLeft,
        });
    },
    refund(request) {
      perMinute.add(clientAddressOf(request), -1);
    },
  };
}
