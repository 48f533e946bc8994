import { isIPv4 } from "node:net";
import type { FastifyRequest } from "fastify";
import { hashApiKey } from "../accounts/api-key.ts";
import type { Context } from "../context.ts";
import { findServiceCaller, type ServiceCaller } from "../people/staff/service-keys/queries.ts";
import { createFindByHash } from "./find-by-hash.ts";
import type { AddressLimit } from "./limits/rate-limit.ts";

/**
 * Finds who calls with a service key, with a query for every request: a key that was revoked, and one of a
 * person who is no operator any longer, is refused at once by every process.
 */
export function createFindService(ctx: Context, failures: AddressLimit) {
  const find = createFindByHash<ServiceCaller>(ctx, failures);
  return (request: FastifyRequest, key: string): Promise<ServiceCaller | undefined> => {
    const hash = hashApiKey(key);
    const address = plainAddress(request.facts.address);
    return find(request, hash, () => findServiceCaller(ctx.directory.pool, hash, address));
  };
}

/** A socket of both kinds of addresses shows one of IPv4 as `::ffff:192.0.2.1`, which no network of IPv4 contains. */
function plainAddress(address: string | null): string | null {
  const mapped = /^::ffff:(.+)$/i.exec(address ?? "")?.[1] ?? "";
  return isIPv4(mapped) ? mapped : address;
}
