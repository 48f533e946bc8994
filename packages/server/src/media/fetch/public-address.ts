import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** IPv6 uses an allow-list: global unicast except tunnels, documentation and reserved ranges. */
const ipv6Global = ipaddr.parseCIDR("2000::/3");
const ipv6Refused = [
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in disguise
  "3fff::/20", // documentation
].map((cidr) => ipaddr.parseCIDR(cidr));
const azureHost = ipaddr.parseCIDR("168.63.129.16/32"); // public by range, but private wherever it responds

const privateSuffixes = ["localhost", "local", "internal", "intranet", "lan", "home.arpa", "onion"];

export interface AddressPolicy {
  /** Development and tests only. */
  allowLoopback: boolean;
}

export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  const parsed = ipaddr.parse(address);
  if (policy.allowLoopback && parsed.range() === "loopback") return true;
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast" && !parsed.match(azureHost);
  return parsed.match(ipv6Global) && !ipv6Refused.some((cidr) => parsed.match(cidr));
}

/**
 * Returns the fault of a user's URL, as far as it can be checked without DNS. The WHATWG parser has already
 * normalized every spelling of an IPv4 address.
 */
export function faultOfUrl(
  text: string,
  protocols: readonly string[],
  policy: AddressPolicy,
): string | null {
  const url = URL.parse(text);
  if (url === null) return "must be a valid URL";
  if (!protocols.includes(url.protocol))
    return `must start with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  const host = bareHost(url);
  if (!isWebPort(url.port) && !isOwnMachine(host, policy))
    return "must use port 80, port 443, or a port of 1024 or above";
  if (isIP(host) !== 0)
    return isAllowedAddress(host, policy) ? null : "must point to a public address";
  const isPrivateName = privateSuffixes.some((name) => host === name || host.endsWith(`.${name}`));
  if (isPrivateName && !isOwnMachine(host, policy)) return "must point to a public address";
  if (!host.includes(".") && !policy.allowLoopback) return "must have a fully qualified host name";
  return null;
}

/** Other ports serve mail, shells and the like, which must not receive requests. */
function isWebPort(port: string): boolean {
  return port === "" || port === "80" || port === "443" || Number(port) >= 1024;
}

function isOwnMachine(host: string, policy: AddressPolicy): boolean {
  const isLoopback =
    isIP(host) === 0 ? host === "localhost" : ipaddr.parse(host).range() === "loopback";
  return policy.allowLoopback && isLoopback;
}

/** The host without brackets and trailing dots: `[::1]` is `::1`, `localhost.` is `localhost`. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}
