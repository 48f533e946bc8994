import { join } from "node:path";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import {
  type PostgresPair,
  startPostgresPair,
} from "@zoetrope/testkit/postgres-pair/start-postgres-pair.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { s3Settings } from "@zoetrope/testkit/s3-settings.ts";
import type { S3 } from "@zoetrope/testkit/services/s3.ts";
import { startSnapshotStore } from "@zoetrope/testkit/services/snapshot-store.ts";
import { startWorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { type Receiver, startReceiver } from "../../kit/receiver/start-receiver.ts";
import { type EngineCluster, prepareCluster } from "../nodes/engine-cluster.ts";
import { createOperator, type EngineOperator } from "../nodes/restatectl.ts";
import { openNetwork } from "./network.ts";
import { type OtherClock, openClock } from "./other-clock.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

/** Two machines with an api and a worker each, three engine nodes, a pair of databases, and S3. */
export interface Deployment extends AsyncDisposable {
  readonly stack: Stack;
  readonly apis: readonly RunningProcess[];
  readonly apiUrls: readonly string[];
  readonly workers: readonly RunningProcess[];
  readonly cluster: EngineCluster;
  readonly operator: EngineOperator;
  readonly pair: PostgresPair;
  readonly s3: S3;
  readonly receiver: Receiver;
  /** The disk of the first machine's worker, for its temporary files. */
  readonly disk: SmallDisk;
  /** The clock of the second machine. */
  readonly clock: OtherClock;
}

export const bucket = "media";
const stopGraceMs = 400_000; // longer than a worker may drain

const serverEnv = {
  LOG_LEVEL: "info", // the stack reads from the log that the worker is ready
  VENDOR_BREAK_MS: "1000",
  SUBMIT_RETRY_MS: "2000",
};
const vendorTimes = { submitMsMax: 3_000, lostMsMax: 15_000 };
const sandboxEnv = { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "500" };

export async function startDeployment(dir: string): Promise<Deployment> {
  await findPrograms(["nft", "patroni", "etcd", "haproxy"]);
  await openNetwork();
  await using started = new AsyncDisposableStack();
  const disk = started.use(await mountSmallDisk(join(dir, "work")));
  const clock = await openClock(dir);
  print("S3 and three engine nodes");
  const store = started.use(await startSnapshotStore(join(dir, "s3")));
  await store.s3.createBucket(bucket);
  const cluster = started.use(await prepareCluster(dir, store.env));
  const operator = await startCluster(cluster);
  print("two PostgreSQL servers");
  const settings = { track_commit_timestamp: "on" };
  const pair = started.use(await startPostgresPair({ dir: join(dir, "pair"), settings }));
  print("two api, two workers");
  const front = started.use(await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 }));
  const stack = started.use(
    await startStack({
      dir,
      stopGraceMs,
      sandboxEnv,
      vendorTimes,
      postgres: pair.front,
      restate: cluster.nodes[0].process,
      serverEnv: {
        ...serverEnv,
        ...s3Settings(store.s3, bucket),
        RESTATE_INGRESS_URL: cluster.ingressUrls,
        RESTATE_ADMIN_URL: cluster.adminUrls,
        ...front.envOf(0),
      },
    }),
  );
  const second = { isRegistered: true, env: { ...clock.env, ...front.envOf(1) } };
  const api = await stack.startServer({ ...second, role: "api", name: "api-2" });
  const worker = await stack.startServer({ ...second, role: "worker", name: "worker-2" });
  const receiver = started.use(await startReceiver(dir));
  const everything = started.move();
  return {
    stack,
    cluster,
    operator,
    pair,
    receiver,
    disk,
    clock,
    s3: store.s3,
    apis: [stack.api, api],
    apiUrls: [stack.apiUrl, api.url],
    workers: [stack.worker, worker],
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

async function startCluster(cluster: EngineCluster): Promise<EngineOperator> {
  const [first, second, third] = cluster.nodes;
  await first.start();
  const operator = createOperator(cluster);
  await operator.snapshot();
  await Promise.all([second.start(), third.start()]);
  await operator.replicate();
  return operator;
}
