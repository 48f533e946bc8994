import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type ListenOptions, type Server } from "node:net";
import { platform } from "node:process";

// Above what Ceph's OSD takes by itself (6800-7300) and above 10080, which fetch refuses to call.
const PORT_MIN = 10_100;
const PORT_MAX = 65_535;
const TRIES_MAX = 1000;

const handedOut = new Set<number>();

/**
 * A loopback port that nobody listens on, from outside the range the kernel takes for outgoing
 * connections: a port from inside it could be gone again before the server binds, or between a
 * kill and a restart. The port stays ours until this process ends: it is never handed out twice
 * here, and on Linux not to any other process that asks through this function either.
 */
export async function freePort(): Promise<number> {
  const ephemeral = await ephemeralRange();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    if (port >= ephemeral.first && port <= ephemeral.last) continue;
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await reserve(port)) return port;
    handedOut.delete(port);
  }
  throw new Error(`no free loopback port found in ${TRIES_MAX} tries`);
}

export async function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

/** A machine tuned to lend out every port leaves us none of our own: then any will have to do. */
async function ephemeralRange(): Promise<{ first: number; last: number }> {
  const text = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(() => "");
  const [first = 32_768, last = PORT_MAX] = (text.match(/\d+/g) ?? []).map(Number);
  const coversAll = first <= PORT_MIN && last >= PORT_MAX;
  return coversAll ? { first: 0, last: 0 } : { first, last };
}

async function reserve(port: number): Promise<boolean> {
  const claim = platform === "linux" ? await claimAmongProcesses(port) : undefined;
  if (claim === "taken") return false;
  const probe = await listen({ host: "127.0.0.1", port, exclusive: true });
  if (probe === undefined) {
    claim?.close();
    return false;
  }
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

/**
 * A socket name in Linux's abstract namespace: it is exclusive per network namespace, like the
 * port, and disappears with the process that holds it, so a crash leaves nothing behind.
 */
async function claimAmongProcesses(port: number): Promise<Server | "taken"> {
  const server = await listen({ path: `\0zoetrope-port-${port}` });
  if (server === undefined) return "taken";
  server.unref();
  return server;
}

async function listen(options: ListenOptions): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    server.listen(options, () => resolve(server));
  });
}
