import assert from "node:assert";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { startWorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { readQuestion, writeAnswer } from "../ssrf/dns-server.ts";

/** One address in front of workers. */
export interface Front extends AsyncDisposable {
  readonly url: string;
  placeOf(worker: number): WorkerAddress;
  /** Which workers are there from now on, where the front does not find out by itself. */
  serve(workers: readonly number[]): Promise<void>;
}

interface WorkerAddress {
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
}

const ports = { port: 9080, healthPort: 9081 };
const hostOf = (worker: number) => `127.0.1.${worker + 1}`;
const serviceAddress = "10.96.0.1";
const name = "workers.test";

/**
 * Prepares the network, in a separate namespace alone: names are ours to resolve, and there is an
 * address for a service.
 */
export async function openNetwork(dir: string): Promise<void> {
  const others = Object.values(networkInterfaces()).filter((found) => !found?.[0]?.internal);
  assert(others.length === 0, "this is the machine's own network");
  await runCommand("ip", ["link", "set", "lo", "up"]);
  await runCommand("ip", ["address", "add", `${serviceAddress}/32`, "dev", "lo"]);
  const file = join(dir, "resolv.conf");
  await writeFile(file, "nameserver 127.0.0.1\n", { mode: 0o644 });
  await runCommand("mount", ["--bind", file, "/etc/resolv.conf"]);
}

/**
 * Starts a name server for several containers with one name: every response has all addresses, in a
 * random order.
 */
async function startNames(): Promise<Front> {
  let served: readonly number[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { type, end } = readQuestion(query);
    const hosts = type === 1 ? served.map(hostOf) : [];
    const shuffled = hosts
      .map((address) => ({ address, at: Math.random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ address }) => ({ type: "A", address }) as const);
    socket.send(writeAnswer(query.subarray(0, end), shuffled, 0), from.port, from.address);
  });
  socket.bind(53, "127.0.0.1");
  await once(socket, "listening");
  return {
    url: `http://${name}:${ports.port}`,
    placeOf: (worker) => ({ host: hostOf(worker), ...ports }),
    async serve(workers) {
      served = workers;
    },
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

/**
 * Starts a front like a Kubernetes Service in the mode `iptables`: each connection goes to a worker
 * by chance.
 */
async function startService(): Promise<Front> {
  const table = ["ip", "service"];
  await runCommand("nft", ["add", "table", ...table]);
  await runCommand("nft", [
    "add",
    "chain",
    ...table,
    "out",
    "{ type nat hook output priority -100; }",
  ]);
  return {
    url: `http://${serviceAddress}:${ports.port}`,
    placeOf: (worker) => ({ host: hostOf(worker), ...ports }),
    async serve(workers) {
      const map = workers.map((worker, n) => `${n} : ${hostOf(worker)}`).join(", ");
      const rule = `ip daddr ${serviceAddress} dnat to numgen random mod ${workers.length} map { ${map} }`;
      await runCommand("nft", [`flush chain ip service out; add rule ip service out ${rule}`]);
    },
    async [Symbol.asyncDispose]() {
      await runCommand("nft", ["delete", "table", ...table]);
    },
  };
}

async function startProxy(dir: string, spread: "request" | "connection"): Promise<Front> {
  const front = await startWorkerFront({ dir: join(dir, spread), count: 4, spread });
  return {
    url: front.url,
    placeOf(worker) {
      const { WORKER_PORT, HEALTH_PORT } = front.envOf(worker);
      return { host: "127.0.0.1", port: Number(WORKER_PORT), healthPort: Number(HEALTH_PORT) };
    },
    async serve() {},
    [Symbol.asyncDispose]: () => front.stop(),
  };
}

export const fronts: Readonly<Record<string, (dir: string) => Promise<Front>>> = {
  "several addresses behind a name": startNames,
  "a Service of Kubernetes": startService,
  "HAProxy by connection": (dir) => startProxy(dir, "connection"),
  "HAProxy by request": (dir) => startProxy(dir, "request"),
};
