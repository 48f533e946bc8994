import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printsLine, type RunningProcess, startProcess } from "@zoetrope/dev/services/process.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { registerWorker } from "@zoetrope/testkit/services/restate-admin.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { type EngineNode, placeNodes } from "../nodes/engine-cluster.ts";
import { type Front, fronts, openNetwork } from "./fronts.ts";

const program = fileURLToPath(new URL("worker.ts", import.meta.url));
const stepsPerSecond = 30;
/** The name of the front that is shipped. */
const shipped = "HAProxy by request";
const shareMin = 0.2;
const shareMax = 0.5;

interface Worker {
  readonly process: RunningProcess;
  countSteps(): Promise<number>;
}

/** Each window is half of settling and half of counting. */
export function runInside(windowSeconds: number): Promise<boolean> {
  return inScratch("spread", (dir) => runIn(dir, windowSeconds * 1_000));
}

async function runIn(dir: string, windowMs: number) {
  await openNetwork(dir);
  const lines: string[] = [];
  let isSpread = true;
  for (const [nodes, replication] of [
    [1, "1"],
    [3, "2"],
  ] as const) {
    const env = { RESTATE_DEFAULT_REPLICATION: replication };
    await using cluster = await placeNodes(join(dir, `of-${nodes}`), env);
    await Promise.all(cluster.nodes.slice(0, nodes).map((node) => node.start()));
    for (const [name, startFront] of Object.entries(fronts)) {
      await using front = await startFront(join(dir, `front-${nodes}`));
      const logs = join(dir, `${nodes} ${name}`);
      const shares = await measure(logs, front, cluster.nodes.slice(0, nodes), windowMs);
      const cells = shares.map((each) => each.map((share) => Math.round(share * 100)).join(" / "));
      lines.push(`| ${name} | ${nodes} | ${cells.join(" | ")} |`);
      print(lines.at(-1) ?? "");
      const [start, , end] = shares;
      if (name === shipped) isSpread &&= [start, end].every((each) => each?.every(isFair));
    }
  }
  return { hasPassed: isSpread, lastLine: `fronts=${lines.length} is_spread=${isSpread}` };
}

const isFair = (share: number) => share >= shareMin && share <= shareMax;

/** The workers' shares of the steps: of three, after one was killed, and after another was added. */
async function measure(
  dir: string,
  front: Front,
  nodes: readonly EngineNode[],
  windowMs: number,
): Promise<number[][]> {
  await using started = new AsyncDisposableStack();
  const workers = new Map<number, Worker>();
  const add = async (n: number) => {
    const worker = await startWorker(join(dir, `worker-${n}.log`), front, n);
    started.use(worker.process);
    workers.set(n, worker);
  };
  const serve = () => front.serve([...workers.keys()]);
  for (const n of [0, 1, 2]) await add(n);
  await serve();
  await registerWorker(nodes[0]?.adminUrl ?? "", front.url, { force: true });
  const stop = new AbortController();
  const sending = sendSteps(
    nodes.map(({ ingressUrl }) => ingressUrl),
    stop.signal,
  );
  const shares: number[][] = [];
  const window = async () => {
    await pause(windowMs / 2);
    const read = () => Promise.all([...workers.values()].map((worker) => worker.countSteps()));
    const before = await read();
    await pause(windowMs / 2);
    const done = (await read()).map((count, n) => count - (before[n] ?? 0));
    const all = done.reduce((sum, count) => sum + count, 0);
    shares.push(done.map((count) => count / all));
  };
  await window();
  const killed = busiest(shares[0] ?? []);
  const worker = workers.get(killed);
  workers.delete(killed);
  await worker?.process.kill();
  await serve();
  await window();
  await add(3);
  await serve();
  await window();
  stop.abort();
  await sending;
  return shares;
}

function busiest(shares: readonly number[]): number {
  return shares.indexOf(Math.max(...shares));
}

async function startWorker(logFile: string, front: Front, n: number): Promise<Worker> {
  const { host, port, healthPort } = front.placeOf(n);
  const running = await startProcess({
    name: `worker-${n}`,
    command: process.execPath,
    args: [program, host, String(port), String(healthPort)],
    logFile,
    isReady: printsLine(/ready/),
  });
  return {
    process: running,
    async countSteps() {
      return Number(await (await fetch(`http://${host}:${healthPort}/`)).text());
    },
  };
}

/** Sends steps, each under its own key, so that no step waits for another. */
async function sendSteps(ingressUrls: readonly string[], stop: AbortSignal): Promise<void> {
  for (let n = 0; !stop.aborted; n++) {
    const url = `${ingressUrls[n % ingressUrls.length]}/spread/${Date.now()}-${n}/step/send`;
    void fetch(url, { method: "POST" }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    await pause(1_000 / stepsPerSecond);
  }
}
