import { namedScope } from "../../db/tables/accounts.ts";
import { ApiError } from "../../errors.ts";
import type { KeyLimits } from "../queries.ts";

/**
 * Requires that a key gives another key no more than it has: no scope, model, rate or time beyond its own,
 * never the right to make keys, and nothing at all if it has a budget, which it could multiply.
 */
export function requireWithin(limits: KeyLimits, wanted: KeyLimits): void {
  const isWithin =
    limits.creditsMax === null &&
    isPart(wanted.scopes, limits.scopes) &&
    !wanted.scopes?.includes(namedScope) &&
    isPart(wanted.models, limits.models) &&
    isAtMost(wanted.requestsPerMinuteMax, limits.requestsPerMinuteMax) &&
    isAtMost(wanted.expiresAt?.getTime() ?? null, limits.expiresAt?.getTime() ?? null);
  if (!isWithin) throw new ApiError("key_beyond_own_limits");
}

function isPart(some: readonly string[] | null, all: readonly string[] | null): boolean {
  return all === null || some?.every((one) => all.includes(one)) === true;
}

function isAtMost(value: number | null, max: number | null): boolean {
  return max === null || (value !== null && value <= max);
}
