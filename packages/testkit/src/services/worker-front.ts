import assert from "node:assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { freePorts } from "@zoetrope/dev/services/ports.ts";
import { answersHttp, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";

/** The unit that is given to one worker or another. The engine sends many requests over each connection. */
export type Spread = "request" | "connection";

export interface WorkerFront extends RunningProcess {
  /** The one address of all workers. */
  readonly url: string;
  /** The settings of a worker behind it, the first of which is 0. */
  envOf(address: number): Record<string, string>;
}

interface FrontOptions {
  readonly dir: string;
  /** Places of workers, of which any may be empty. */
  readonly count: number;
  readonly spread?: Spread;
}

/** HAProxy in front of workers. */
export async function startWorkerFront(options: FrontOptions): Promise<WorkerFront> {
  const { dir, count, spread = "request" } = options;
  const { haproxy } = await findPrograms(["haproxy"]);
  const [port = 0, monitorPort = 0, ...ports] = await freePorts(2 + 2 * count);
  const url = `http://127.0.0.1:${port}`;
  const addresses = Array.from({ length: count }, (_, n) => ({
    port: ports[2 * n] ?? 0,
    healthPort: ports[2 * n + 1] ?? 0,
  }));
  await mkdir(dir, { recursive: true });
  const configFile = join(dir, "worker-front.cfg");
  await writeFile(configFile, await configText({ port, monitorPort, addresses, spread }));
  const running = await startProcess({
    name: "worker-front",
    command: haproxy,
    args: ["-db", "-f", configFile],
    logFile: join(dir, "worker-front.log"),
    isReady: answersHttp(`http://127.0.0.1:${monitorPort}/`),
  });
  return Object.assign(running, {
    url,
    envOf(at: number) {
      const address = addresses[at];
      assert(address !== undefined, "a front has a place for each worker");
      return {
        WORKER_URL: url,
        WORKER_PORT: String(address.port),
        HEALTH_PORT: String(address.healthPort),
      };
    },
  });
}

interface Configuration {
  port: number;
  monitorPort: number;
  addresses: readonly { port: number; healthPort: number }[];
  spread: Spread;
}

const shipped = new URL(
  "../../../../deploy/kubernetes/overlays/production/worker-front.cfg",
  import.meta.url,
);

/** The configuration that is shipped, with ports of this machine in place of the names of pods. */
async function configText({
  port,
  monitorPort,
  addresses,
  spread,
}: Configuration): Promise<string> {
  const servers = addresses.map(
    (address, n) =>
      `  server worker-${n + 1} 127.0.0.1:${address.port} check port ${address.healthPort} check-proto h1`,
  );
  const here = (await readFile(shipped, "utf8"))
    .replace("bind :9080", `bind 127.0.0.1:${port}`)
    .replace("bind :9082", `mode http\n  bind 127.0.0.1:${monitorPort}`)
    .replace(/^ *server-template .*$/m, servers.join("\n"));
  return spread === "request"
    ? here
    : here.replace("mode http", "mode tcp").replaceAll(" proto h2", "");
}
