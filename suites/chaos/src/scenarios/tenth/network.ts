import assert from "node:assert";
import { networkInterfaces } from "node:os";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";

const table = "chaos";

/** Prepares the network, in a separate namespace alone, where only we filter. */
export async function openNetwork(): Promise<void> {
  const others = Object.values(networkInterfaces()).filter((found) => !found?.[0]?.internal);
  assert(others.length === 0, "this is the machine's own network");
  await runCommand("ip", ["link", "set", "lo", "up"]);
  await nft("add", "table", "inet", table);
}

let cuts = 0;

/**
 * Drops everything that is sent to or from these ports from now on, without notifying anybody. A
 * process that listens there still reaches others by connections that it opens.
 */
export async function cutOff(ports: readonly number[]): Promise<{ heal(): Promise<void> }> {
  cuts += 1;
  const chain = `cut${cuts}`;
  const set = `{ ${ports.join(", ")} }`;
  await nft("add", "chain", "inet", table, chain, "{ type filter hook input priority 0; }");
  await nft("add", "rule", "inet", table, chain, "tcp", "dport", set, "drop");
  await nft("add", "rule", "inet", table, chain, "tcp", "sport", set, "drop");
  return {
    async heal() {
      await nft("flush", "chain", "inet", table, chain);
      await nft("delete", "chain", "inet", table, chain);
    },
  };
}

function nft(...args: string[]): Promise<string> {
  return runCommand("nft", args);
}
