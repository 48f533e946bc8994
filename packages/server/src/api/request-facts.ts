import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { deviceCookieName, readCookie } from "../people/cookies.ts";
import type { RequestFacts } from "../people/request-facts.ts";
import { clientAddressOf } from "./limits/client-address.ts";

export function factsOf(request: FastifyRequest): RequestFacts {
  // A client that has given up has no address any more, and no `ip` either.
  const texts: (string | undefined)[] = [request.ip, request.socket.remoteAddress];
  const [address = null] = texts
    .map((text = "") => text.split("%", 1).join("")) // without the zone, which PostgreSQL does not take
    .filter((text) => isIP(text) > 0);
  return {
    address,
    network: clientAddressOf(request),
    userAgent: request.headers["user-agent"] ?? null,
    requestId: request.id,
    deviceToken: readCookie(request.headers.cookie, deviceCookieName) ?? null,
  };
}
