import { createRateLimit, type RateLimit } from "../../kit/rate-limit.ts";
import { ArkError } from "./errors.ts";

/** Each counts one call and throws ArkError 429 when it is one too many. */
export interface ArkLimits {
  create(model: string): void;
  get(): void;
  list(): void;
  delete(): void;
}

/** Ark's limits for an enterprise account: creates per model and minute, the others per second. */
export function createArkLimits(clock: () => number): ArkLimits {
  const creates = new Map<string, RateLimit>();
  const get = createRateLimit(20, 1_000, clock);
  const list = createRateLimit(1, 1_000, clock);
  const remove = createRateLimit(20, 1_000, clock);
  return {
    create(model) {
      const limit = creates.get(model) ?? createRateLimit(600, 60_000, clock);
      creates.set(model, limit); // one of the few models that exist: the caller has checked
      take(limit, "RateLimitExceeded.EndpointRPMExceeded");
    },
    get: () => take(get, "AccountRateLimitExceeded"),
    list: () => take(list, "AccountRateLimitExceeded"),
    delete: () => take(remove, "AccountRateLimitExceeded"),
  };
}

export const noArkLimits: ArkLimits = { create() {}, get() {}, list() {}, delete() {} };

function take(limit: RateLimit, code: string) {
  const waitMs = limit.take();
  if (waitMs > 0) throw new ArkError(code, "Too many requests; try again later.", "", waitMs);
}
