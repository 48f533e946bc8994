import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { deviceCookieName, readCookie } from "../people/cookies.ts";
import type { RequestFacts } from "../people/request-facts.ts";
import { clientAddressOf } from "./limits/client-address.ts";

export function factsOf(request: FastifyRequest): RequestFacts {
  const [address = null] = [request.ip, request.socket.remoteAddress ?? ""]
    .map((text) => text.split("%", 1).join("")) // without the zone, which PostgreSQL does not take
    .filter((text) => isIP(text) > 0);
  return {
    address,
    network: clientAddressOf(request),
    userAgent: request.headers["user-agent"] ?? null,
    requestId: request.id,
    deviceToken: readCookie(request.headers.cookie, deviceCookieName) ?? null,
  };
}
