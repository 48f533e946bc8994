import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

/**
 * Returns the network under which a request without a key is counted: an IPv4 address, or the /64 of an
 * IPv6 address, since a client that has one address of it usually has all. `request.ip` follows
 * X-Forwarded-For only as far as the settings allow; its value need not be an address.
 */
export function clientAddressOf(request: Pick<FastifyRequest, "ip" | "socket">): string {
  return networkOf(request.ip) ?? networkOf(request.socket.remoteAddress ?? "") ?? "unknown";
}

function networkOf(text: string): string | null {
  if (isIP(text) === 0) return null; // ipaddr.js also reads forms such as 0x7f.1, and refuses some zones
  const address = ipaddr.process(text.replace(/%.*$/, "")); // an IPv4-mapped address is IPv4
  if (address instanceof ipaddr.IPv4) return address.toString();
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
