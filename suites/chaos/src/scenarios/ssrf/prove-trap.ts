import { connect } from "node:net";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { publicV4 } from "./addresses.ts";
import type { Row } from "./rows.ts";
import type { Trap } from "./trap.ts";

const dnsPort = 53;

/** Every port that a row leads to, by itself or by a redirect, but for that of our DNS server. */
export function portsIn(rows: readonly Row[]): number[] {
  const named = rows.flatMap(({ url }) => {
    const targets = [url, URL.parse(url)?.searchParams.get("url") ?? ""];
    return targets.map((target) => Number(URL.parse(target)?.port ?? 0));
  });
  return [...new Set([80, 443, ...named])].filter((port) => port > 0 && port !== dnsPort);
}

/** Shows that the trap works: every kind of forbidden address is connected to once. */
export async function proveTrap(trap: Trap, ports: readonly number[]): Promise<void> {
  const targets = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::ffff:0:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001::5601:5601",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "100::1",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "2001:20::1",
  ];
  for (const [index, address] of [...targets, publicV4].entries())
    await touch(address, ports[index % ports.length] ?? 80);
  await waitUntil(
    "the trap has caught every test",
    () => trap.caught.length === targets.length && trap.passed === 1,
    { timeoutMs: 5_000 },
  );
  print(`the trap catches ${targets.length} of ${targets.length} forbidden addresses`);
  trap.forget();
}

async function touch(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, host, resolve).on("error", reject);
  await promise;
  socket.destroy();
}
