import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../actor.ts";

/** Who sent the request, for what is recorded of a change. */
export function actorOf({ caller, ip, id }: FastifyRequest): Actor {
  return {
    kind: "key",
    keyId: caller.keyId,
    accountId: caller.id,
    // What a proxy forwards need not be an address.
    address: isIP(ip) > 0 && !ip.includes("%") ? ip : null,
    requestId: id,
  };
}
