import { rm } from "node:fs/promises";
import { join } from "node:path";
import { freePorts } from "@zoetrope/dev/services/ports.ts";
import { type Restate, type RestatePorts, startRestate } from "@zoetrope/dev/services/restate.ts";

/** A place for a node: its name, its ports and its folder stay when the node is replaced. */
export interface EngineNode {
  readonly name: string;
  readonly ports: RestatePorts;
  readonly dir: string;
  readonly ingressUrl: string;
  readonly adminUrl: string;
  /** The running process. */
  readonly process: Restate;
  /** Starts it on the data that it has, or without any; returns when it serves every partition. */
  start(): Promise<void>;
  /** Deletes the node's data, as if its disk were lost. */
  empty(): Promise<void>;
}

export interface EngineCluster extends AsyncDisposable {
  readonly nodes: readonly [EngineNode, EngineNode, EngineNode];
  readonly ingressUrls: string;
  readonly adminUrls: string;
  /** The address of each node for the others and for restatectl. */
  readonly nodeUrls: readonly string[];
  /** The program of all starts from now on; that of npm unless set. */
  program: string | undefined;
}

const names = ["n1", "n2", "n3"] as const;

/** The settings of nodes that join and leave: they hand partitions over by snapshots. */
const snapshotTimes = {
  RESTATE_WORKER__SNAPSHOTS__SNAPSHOT_INTERVAL: "10s",
  RESTATE_WORKER__SNAPSHOTS__SNAPSHOT_INTERVAL_NUM_RECORDS: "200",
  // One node alone would trim its log further than its snapshots reach, and could not grow.
  RESTATE_WORKER__DURABILITY_MODE: "balanced",
  RESTATE_WORKER__TRIM_DELAY_INTERVAL: "10s",
};

/** Places for three nodes that keep snapshots. The first makes the cluster when it starts; none is started. */
export function prepareCluster(
  dir: string,
  snapshotEnv: Readonly<Record<string, string>>,
): Promise<EngineCluster> {
  return placeNodes(dir, { ...snapshotEnv, ...snapshotTimes });
}

/** Prepares places for three nodes with these settings. */
export async function placeNodes(
  dir: string,
  env: Readonly<Record<string, string>>,
): Promise<EngineCluster> {
  const numbers = await freePorts(3 * names.length);
  const ports = names.map((_, index): RestatePorts => {
    const [ingress = 0, admin = 0, node = 0] = numbers.slice(3 * index);
    return { ingress, admin, node };
  });
  const nodeUrls = ports.map(({ node }) => `http://127.0.0.1:${node}`);
  const shared = {
    ...env,
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(nodeUrls),
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256 MiB",
  };
  const cluster: { program: string | undefined } = { program: undefined };
  const place = (index: number): EngineNode =>
    createNode({
      name: names[index] ?? "",
      dir: join(dir, `engine-${names[index]}`),
      ports: ports[index] ?? { ingress: 0, admin: 0, node: 0 },
      env: { ...shared, RESTATE_AUTO_PROVISION: String(index === 0) },
      programOf: () => cluster.program,
    });
  const nodes = [place(0), place(1), place(2)] as const;
  return Object.assign(cluster, {
    nodes,
    nodeUrls,
    ingressUrls: nodes.map(({ ingressUrl }) => ingressUrl).join(","),
    adminUrls: nodes.map(({ adminUrl }) => adminUrl).join(","),
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => (isStarted(node) ? node.process.kill() : undefined)));
    },
  });
}

interface EngineNodeOptions {
  name: string;
  dir: string;
  ports: RestatePorts;
  env: Readonly<Record<string, string>>;
  programOf(): string | undefined;
}

const stopGraceMs = 60_000;

function createNode({ name, dir, ports, env, programOf }: EngineNodeOptions): EngineNode {
  let running: Restate | undefined;
  return {
    name,
    dir,
    ports,
    ingressUrl: `http://127.0.0.1:${ports.ingress}`,
    adminUrl: `http://127.0.0.1:${ports.admin}`,
    get process() {
      if (running === undefined) throw new Error(`${name} was never started`);
      return running;
    },
    async start() {
      const program = programOf();
      running = await startRestate({
        dir,
        ports,
        stopGraceMs,
        env: { ...env, RESTATE_NODE_NAME: name },
        program,
      });
    },
    empty: () => rm(join(dir, "data"), { recursive: true, force: true }),
  };
}

function isStarted(node: EngineNode): boolean {
  try {
    return node.process.pid > 0;
  } catch {
    return false;
  }
}
