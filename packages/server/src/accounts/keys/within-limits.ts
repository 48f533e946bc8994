import { namedScope } from "../../db/tables/accounts.ts";
import { ApiError } from "../../errors.ts";
import type { KeyLimits } from "../queries.ts";

/**
 * What a key gives to another is never more than it has: no scope, model, rate or time beyond its own,
 * never the right to make keys, and nothing at all if it has a budget, which it could multiply.
 */
export function requireWithin(own: KeyLimits, given: KeyLimits): void {
  const isWithin =
    own.creditsMax === null &&
    isPart(given.scopes, own.scopes) &&
    !given.scopes?.includes(namedScope) &&
    isPart(given.models, own.models) &&
    isAtMost(given.requestsPerMinuteMax, own.requestsPerMinuteMax) &&
    isAtMost(given.expiresAt?.getTime() ?? null, own.expiresAt?.getTime() ?? null);
  if (!isWithin) throw new ApiError("key_beyond_own_limits");
}

function isPart(some: readonly string[] | null, all: readonly string[] | null): boolean {
  return all === null || some?.every((one) => all.includes(one)) === true;
}

function isAtMost(value: number | null, max: number | null): boolean {
  return max === null || (value !== null && value <= max);
}
