import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freeze } from "../outages/freeze.ts";
import type { EngineCluster, EngineNode } from "./engine-cluster.ts";
import type { EngineOperator } from "./restatectl.ts";

export interface Step {
  readonly name: string;
  /** Calls `broken` at the moment from which recovery counts; returns when every node serves again. */
  run(broken: () => void): Promise<void>;
}

/** Returns the steps of a run in the order in which they happen to nodes. */
export function stepsOf(cluster: EngineCluster, operator: EngineOperator, awayMs: number): Step[] {
  const [, second, third] = cluster.nodes;
  return [
    {
      name: "grown from one node to three",
      async run(broken) {
        await operator.snapshot();
        await Promise.all([second.start(), third.start()]);
        broken();
        await operator.replicate();
      },
    },
    {
      name: "a node killed and returned",
      async run(broken) {
        const node = await operator.busiest();
        broken();
        await node.process.kill();
        await pause(awayMs);
        await node.start();
      },
    },
    {
      name: "a node frozen and continued",
      async run(broken) {
        const node = await operator.busiest();
        broken();
        const frozen = await freeze(node.process.pid);
        await pause(awayMs);
        frozen.thaw();
      },
    },
    { name: "a node without its disk", run: (broken) => replaceEmptied(operator, awayMs, broken) },
    {
      name: "a node restarted twice in a row",
      async run(broken) {
        const node = await operator.busiest();
        broken();
        await node.process.restart();
        await node.process.restart();
      },
    },
    {
      name: cluster.program === undefined ? "each node restarted in turn" : "each node upgraded",
      async run(broken) {
        cluster.program = undefined;
        broken();
        for (const node of cluster.nodes) {
          await node.process.stop();
          await node.start();
        }
      },
    },
  ];
}

/** A node that finds its disk empty refuses to start under its name until the cluster has forgotten it. */
async function replaceEmptied(
  operator: EngineOperator,
  awayMs: number,
  broken: () => void,
): Promise<void> {
  const node: EngineNode = await operator.busiest();
  broken();
  await node.process.kill();
  await node.empty();
  await pause(awayMs);
  const hasStarted = await node.start().then(
    () => true,
    () => false,
  );
  const log = await readFile(join(node.dir, "restate.log"), "utf8");
  if (hasStarted || !log.includes("storage-state is `data-loss`"))
    throw new Error(`${node.name} should have refused to start without its data`);
  await operator.remove(node);
  await node.empty();
  await node.start();
}
