import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../errors.ts";
import { createWindow } from "../../flow/window.ts";
import type { KeyId, PersonId, ServiceKeyId } from "../../ids.ts";
import { clientAddressOf } from "./client-address.ts";

interface Sender {
  kind: "key" | "person";
  id: KeyId | PersonId | ServiceKeyId;
  /** `null`: the limit of the deployment. */
  requestsPerMinuteMax: number | null;
}

/**
 * Counts the requests of each key or person in windows of one minute and refuses those beyond the limit.
 * Every response carries the RateLimit headers of the IETF draft. Counted per process: with several
 * processes a key can send as many times more.
 */
export function createRateLimit(requestsPerMinuteMax: number) {
  const perMinute = createWindow(60_000);
  return (sender: Sender, reply: FastifyReply): void => {
    const { kind } = sender;
    const limit = sender.requestsPerMinuteMax ?? requestsPerMinuteMax;
    const { count, secondsLeft } = perMinute.add(sender.id);
    reply.header("RateLimit-Policy", `"${kind}";q=${limit};w=60`);
    reply.header("RateLimit", `"${kind}";r=${Math.max(limit - count, 0)};t=${secondsLeft}`);
    if (count > limit)
      throw new ApiError("rate_limited", {
        message: {
          en: `This ${kind === "key" ? "API key" : "person"} is limited to ${limit} requests per minute. Retry in ${secondsLeft} s.`,
          zh: `${kind === "key" ? "此 API 密钥" : "此人员"}每分钟最多 ${limit} 个请求。请在 ${secondsLeft} 秒后重试。`,
        },
        retryAfterSeconds: secondsLeft,
      });
  };
}

/** `what`: counted apart from the rest. */
export interface AddressLimit {
  /** Counts one request of the address; throws 429 beyond the limit. */
  charge(request: FastifyRequest, what?: string): void;
  /** Throws 429 if as many as the limit are counted. */
  check(request: FastifyRequest, what?: string): void;
  /** Counts one request of the address. */
  note(request: FastifyRequest, what?: string): void;
}

/** Counts requests without a key by the address they come from, per process. */
export function createAddressLimit(perMinuteMax: number, requests: string): AddressLimit {
  const perMinute = createWindow(60_000);
  const add = (request: FastifyRequest, what: string, amount: number) =>
    perMinute.add(`${clientAddressOf(request)} ${what}`, amount);
  const refuse = (secondsLeft: number) =>
    new ApiError("rate_limited", {
      message: {
        en: `Too many ${requests} from this IP address. Retry in ${secondsLeft} s.`,
        zh: `来自此 IP 地址的请求过多。请在 ${secondsLeft} 秒后重试。`,
      },
      retryAfterSeconds: secondsLeft,
    });
  return {
    charge(request, what = "") {
      const { count, secondsLeft } = add(request, what, 1);
      if (count > perMinuteMax) throw refuse(secondsLeft);
    },
    check(request, what = "") {
      const { count, secondsLeft } = add(request, what, 0);
      if (count >= perMinuteMax) throw refuse(secondsLeft);
    },
    note(request, what = "") {
      add(request, what, 1);
    },
  };
}
