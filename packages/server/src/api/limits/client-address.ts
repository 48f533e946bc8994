import { isIPv4, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * Whom a request is counted under when it has no key: an IPv4 address, or the /64 of an IPv6 address,
 * since whoever has one address of it usually has all. `request.ip` follows X-Forwarded-For only as far
 * as the settings say; what stands there need not be an address.
 */
export function clientAddressOf(request: Pick<FastifyRequest, "ip" | "socket">): string {
  return networkOf(request.ip) ?? networkOf(request.socket.remoteAddress ?? "") ?? "unknown";
}

function networkOf(address: string): string | null {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  const [text = ""] = address.toLowerCase().split("%"); // without the zone
  const mapped = text.slice(text.lastIndexOf(":") + 1);
  if (isIPv4(mapped)) return text.startsWith("::ffff:") ? mapped : "::/64";
  const [head = "", tail] = text.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
