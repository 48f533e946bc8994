import type { FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { takeOldest } from "../flow/take-oldest.ts";
import { clientAddressOf } from "./limits/client-address.ts";
import type { AddressLimit } from "./limits/rate-limit.ts";
import { shareByAddress } from "./limits/share-by-address.ts";

const knownMax = 10_000;

/**
 * Looks up what a secret belongs to, by its hash, with a query for every request. Only secrets that belong to
 * nothing are counted: a valid one is found, however many others its address sent.
 */
export function createFindByHash<Found>(ctx: Context, failures: AddressLimit) {
  const known = new Set<string>();
  const atOnceMax = Math.max(1, Math.floor(ctx.config.database.connectionsMax / 5));
  const strangers = shareByAddress(atOnceMax); // guessing must not exhaust the pool

  return async (
    request: FastifyRequest,
    hash: Buffer,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const name = hash.toString("latin1");
    const found = known.has(name)
      ? await find()
      : await strangers.use({ owner: clientAddressOf(request) }, find);
    known.delete(name);
    if (found === undefined) {
      failures.charge(request);
      return undefined;
    }
    known.add(name);
    if (known.size > knownMax) takeOldest(known, 1);
    return found;
  };
}
