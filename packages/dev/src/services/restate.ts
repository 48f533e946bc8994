import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findPrograms } from "./find-program.ts";
import { freePorts } from "./ports.ts";
import { type RunningProcess, startProcess } from "./process.ts";

export interface RestatePorts {
  readonly ingress: number;
  readonly admin: number;
  /** Between nodes; also serves /metrics. */
  readonly node: number;
}

export interface RestateOptions {
  /** Holds configuration, data and log. Data that is there already is used again. */
  readonly dir: string;
  readonly ports?: RestatePorts | undefined;
  /** Permanent once the data directory exists. */
  readonly partitions?: number;
  /** Overrides the configuration, for example `RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: "0s"`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Another one than that of npm. */
  readonly program?: string | undefined;
  readonly stopGraceMs?: number | undefined;
}

export interface Restate extends RunningProcess {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly ports: RestatePorts;
}

/** Few on few cores. */
export const partitionsUsual = 4;
const PARTITIONS_MAX = 64;

/**
 * A real Restate server on loopback, a cluster of its own unless `env` says otherwise. None of its ports asks who is calling.
 *
 * Its environment is ours alone, so RUST_BACKTRACE is unset: with it, recovery stalls for minutes.
 */
export async function startRestate(options: RestateOptions): Promise<Restate> {
  const program = options.program ?? (await findPrograms(["restate-server"]))["restate-server"];
  const dir = resolve(options.dir);
  const ports = options.ports ?? (await choosePorts());
  const partitions = options.partitions ?? partitionsUsual;
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX) {
    throw new Error(`partitions must be between 1 and ${PARTITIONS_MAX}`);
  }
  await mkdir(dir, { recursive: true });
  const configFile = join(dir, "restate.toml");
  await writeFile(configFile, configText(dir, ports, partitions));
  const ingressUrl = `http://127.0.0.1:${ports.ingress}`;
  const adminUrl = `http://127.0.0.1:${ports.admin}`;
  const running = await startProcess({
    name: "restate-server",
    command: program,
    args: ["--config-file", configFile],
    cwd: dir,
    env: options.env,
    stopGraceMs: options.stopGraceMs,
    logFile: join(dir, "restate.log"),
    isReady: () => isServing(adminUrl, ingressUrl, partitions),
  });
  return Object.assign(running, { ingressUrl, adminUrl, ports });
}

async function choosePorts(): Promise<RestatePorts> {
  const [ingress = 0, admin = 0, node = 0] = await freePorts(3);
  return { ingress, admin, node };
}

function configText(dir: string, ports: RestatePorts, partitions: number): string {
  return `node-name = "n1"
cluster-name = "zoetrope"
base-dir = ${JSON.stringify(join(dir, "data"))}
default-num-partitions = ${partitions}
bind-ip = "127.0.0.1"
advertised-host = "127.0.0.1"
bind-port = ${ports.node}
listen-mode = "tcp"
disable-telemetry = true
log-disable-ansi-codes = true
rocksdb-total-memory-size = "512 MiB"

[admin]
bind-port = ${ports.admin}

[ingress]
bind-port = ${ports.ingress}

[worker.invoker]
concurrent-invocations-limit = 50
`;
}

/**
 * Both health checks turn green some 0.3 s before the partitions have leaders, and the gauge
 * restate_num_active_partition_leaders follows a second late. So each partition is asked about an
 * invocation that never was: attaching to it goes from the ingress to the partition's leader,
 * through its log and back, and a 404 "not found" is the response of a partition that works.
 * Nothing is kept of it. It does not show that the invoker runs handlers; that takes a worker.
 */
async function isServing(adminUrl: string, ingressUrl: string, partitions: number) {
  const signal = AbortSignal.timeout(5_000);
  const health = await fetch(`${adminUrl}/health`, { signal });
  await health.body?.cancel();
  if (!health.ok) return false;
  const answers = await Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      const id = unknownInvocationId(partition, partitions);
      const response = await fetch(`${ingressUrl}/restate/invocation/${id}/attach`, { signal });
      await response.body?.cancel();
      return response.status === 404;
    }),
  );
  return answers.every((isLeading) => isLeading);
}

const BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * An id is `inv_1`, the partition key and a number, in base62 digits (11 and 22 of them). The key's
 * bytes are reversed before they are written, and partitions divide the 64-bit keys evenly: so a
 * small number here is a key with only its highest byte set, here to the middle of the partition.
 */
function unknownInvocationId(partition: number, partitions: number): string {
  const highestByte = Math.floor(((2 * partition + 1) * 128) / partitions);
  const digits = `${BASE62[Math.floor(highestByte / 62)]}${BASE62[highestByte % 62]}`;
  return `inv_1${digits.padStart(11, "0")}${"1".padStart(22, "0")}`;
}
