import { runCommand } from "@zoetrope/dev/services/command-line.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { partitionsUsual } from "@zoetrope/dev/services/restate.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { EngineCluster, EngineNode } from "./engine-cluster.ts";

const removeMsMax = 180_000;

/** Returns an operator's actions on a cluster, done with the operator's tool. */
export function createOperator(cluster: EngineCluster) {
  async function run(...args: string[]): Promise<string> {
    const { restatectl } = await findPrograms(["restatectl"]);
    const address = cluster.nodeUrls.join(",");
    return runCommand(restatectl, ["--yes", "--address", address, ...args]);
  }

  /** Returns the id of a node by its name, such as `N2`. */
  async function idOf({ name }: EngineNode): Promise<string> {
    for (const line of (await run("status")).split("\n")) {
      const [id = "", second] = line.trim().split(/\s+/);
      if (/^N\d+/.test(id) && second === name) return id.replace(/:.*/, "");
    }
    throw new Error(`the cluster has no node ${name}`);
  }

  async function countLeaders(node: EngineNode): Promise<number> {
    const id = await idOf(node);
    const lines = (await run("partitions", "list")).split("\n");
    return lines.filter((line) => new RegExp(`^\\s*\\d+\\s+${id}:\\d+\\s+Leader`).test(line))
      .length;
  }

  return {
    /** Every partition as the cluster sees it, for the record. */
    describe: () => run("partitions", "list"),

    /** Keeps every record and every partition on two nodes from now on. */
    replicate: () => run("config", "set", "--replication", "2"),

    snapshot: () => run("snapshots", "create"),

    /** The node that leads the most partitions: losing it hurts most. */
    async busiest(): Promise<EngineNode> {
      const counts = await Promise.all(cluster.nodes.map(countLeaders));
      return cluster.nodes[counts.indexOf(Math.max(...counts))] ?? cluster.nodes[0];
    },

    /**
     * Removes a node that is gone for good. Its logs must not need it: they continue without it,
     * and what they held so far is replaced by snapshots.
     */
    async remove(node: EngineNode): Promise<void> {
      const id = await idOf(node);
      await run("metadata-server", "remove-node", id);
      const isRemoved = async () => {
        await run("logs", "reconfigure", "--log-id", `0-${partitionsUsual - 1}`);
        await run("snapshots", "create", "--trim-log");
        await run("nodes", "remove", "--nodes", id);
        return true;
      };
      await waitUntil(`${node.name} is removed`, isRemoved, {
        timeoutMs: removeMsMax,
        intervalMs: 2_000,
      });
    },
  };
}

export type EngineOperator = ReturnType<typeof createOperator>;
