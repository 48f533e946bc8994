import assert from "node:assert";
import { writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";

/**
 * Makes loopback own every address, IPv4 and IPv6, and our DNS server the only one. A connection to
 * whatever address ends at a listener of ours on that port. Addresses that cannot be owned (multicast,
 * broadcast, link-local without an interface) are refused by the kernel's connect itself.
 */
export async function ownNetwork(dir: string): Promise<void> {
  const others = Object.values(networkInterfaces()).filter(
    (found) => found?.[0]?.internal === false,
  );
  assert(others.length === 0, "this is the machine's own network");
  await runCommand("ip", ["link", "set", "lo", "up"]);
  await runCommand("ip", ["route", "add", "local", "0.0.0.0/0", "dev", "lo"]);
  await runCommand("ip", ["-6", "route", "add", "local", "::/0", "dev", "lo"]);
  const files = {
    "resolv.conf": "nameserver 127.0.0.1\n",
    hosts: "127.0.0.1 localhost localhost.localdomain\n::1 ip6-localhost\n",
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(dir, name), text, { mode: 0o644 });
    await runCommand("mount", ["--bind", join(dir, name), join("/etc", name)]);
  }
}
