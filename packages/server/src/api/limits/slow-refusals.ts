import { setTimeout as pause } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { ApiError, errorCatalogue } from "../../errors.ts";
import { createWindow } from "../../flow/window.ts";
import { clientAddressOf } from "./client-address.ts";

const promptMax = 30;
const stepMs = 50;
const delayMsMax = 5_000;
const delayedMax = 4_000;

/**
 * Delays refusals with a Retry-After, longer the more of them an account or address got in this
 * minute, so that a client that repeats immediately cannot keep the process busy. The number of
 * delayed refusals is bounded: a delay must not cost more than a response.
 */
export function createSlowRefusals() {
  const refused = createWindow(60_000);
  let delayed = 0;
  return async (thrown: unknown, request: FastifyRequest): Promise<void> => {
    if (!(thrown instanceof ApiError) || !isSlow(thrown)) return;
    const name = request.caller?.id ?? clientAddressOf(request);
    const beyond = refused.add(name).count - promptMax;
    if (beyond <= 0 || delayed >= delayedMax) return;
    delayed++;
    await pause(Math.min(beyond * stepMs, delayMsMax)).finally(() => delayed--);
  };
}

function isSlow({ code }: ApiError): boolean {
  return errorCatalogue[code].status === 429 || code === "account_busy";
}
