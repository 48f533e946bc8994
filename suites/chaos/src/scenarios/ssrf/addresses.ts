import { BlockList, isIPv6 } from "node:net";

/** The addresses to which names and literals may lead in this run. */
export const publicV4 = "93.184.215.14";
export const publicV6 = "2606:4700::1111";

/** The special ranges (IANA's registries, and two that clouds use), stated a second time. */
export const forbiddenV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;
export const forbiddenV6 = [
  "::/3", // loopback, mapped, compatible, translated, NAT64, discard
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "4000::/2",
  "8000::/1", // unique local, link-local, site-local, multicast
] as const;

const forbidden = new BlockList();
for (const range of forbiddenV4) forbidden.addSubnet(...parts(range), "ipv4");
const forbidden6 = new BlockList(); // apart: a list of both would see IPv4 in mapped addresses
for (const range of forbiddenV6) forbidden6.addSubnet(...parts(range), "ipv6");

function parts(range: string): [address: string, bits: number] {
  const [address = "", bits] = range.split("/");
  return [address, Number(bits)];
}

/** Whether the address that a connection was accepted on is forbidden. One listener takes both families. */
export function isForbidden(localAddress: string): boolean {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(localAddress)?.[1] ?? localAddress;
  return isIPv6(v4) ? forbidden6.check(v4, "ipv6") : forbidden.check(v4, "ipv4");
}
