import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** IPv6 is judged by allow-list: global unicast, less what is tunnelled, documented or reserved in it. */
const ipv6Global = ipaddr.parseCIDR("2000::/3");
const ipv6Refused = [
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in disguise
  "3fff::/20", // documentation
].map((cidr) => ipaddr.parseCIDR(cidr));
const ipv4Refused = ["168.63.129.16/32", "192.88.99.0/24"].map((cidr) => ipaddr.parseCIDR(cidr)); // Azure's host; 6to4 relays

const privateSuffixes = ["localhost", "local", "internal", "intranet", "lan", "home.arpa", "onion"];

export interface AddressPolicy {
  /** Development and tests only. */
  allowLoopback: boolean;
}

export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  const parsed = ipaddr.parse(address);
  if (policy.allowLoopback && parsed.range() === "loopback") return true;
  if (parsed.kind() === "ipv4")
    return parsed.range() === "unicast" && !ipv4Refused.some((cidr) => parsed.match(cidr));
  return parsed.match(ipv6Global) && !ipv6Refused.some((cidr) => parsed.match(cidr));
}

/**
 * What is wrong with a URL that a user gave, as far as it can be seen without asking DNS.
 * The WHATWG parser has already turned every spelling of an IPv4 address into dotted decimals.
 */
export function faultOfUrl(
  text: string,
  protocols: readonly string[],
  policy: AddressPolicy,
): string | null {
  const url = URL.parse(text);
  if (url === null) return "must be a valid URL";
  if (!protocols.includes(url.protocol))
    return `must begin with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  const host = bareHost(url);
  if (host === "") return "must name a host";
  if (isIP(host) !== 0)
    return isAllowedAddress(host, policy) ? null : "must point to a public address";
  const isPrivateName = privateSuffixes.some((name) => host === name || host.endsWith(`.${name}`));
  if (isPrivateName && !(policy.allowLoopback && host === "localhost"))
    return "must point to a public address";
  if (!host.includes(".") && !policy.allowLoopback) return "must name a full host";
  return null;
}

/** The host without brackets and trailing dots: `[::1]` is `::1`, `localhost.` is `localhost`. */
function bareHost(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
}
