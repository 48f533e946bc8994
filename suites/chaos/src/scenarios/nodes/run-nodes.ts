import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { ownEnv } from "@zoetrope/dev/services/own-env.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { startSnapshotStore } from "@zoetrope/testkit/services/snapshot-store.ts";
import { startWorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { collectEvidence } from "../../check/collect-evidence.ts";
import type { Evidence } from "../../check/evidence.ts";
import { judge } from "../../check/invariants.ts";
import { jobsByTask } from "../../check/vendor-jobs.ts";
import { answersOf, type ClientLine } from "../../kit/client-log.ts";
import { sendFinalQueries } from "../../kit/clients/final-queries.ts";
import { newTally, type Shared } from "../../kit/clients/run-client.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { openLineLog } from "../../kit/json-lines.ts";
import { waitUntilIdle } from "../../kit/open-work.ts";
import { printVerdicts } from "../../kit/print-verdicts.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { secrets } from "../../kit/secrets.ts";
import { type EngineCluster, prepareCluster } from "./engine-cluster.ts";
import { placeSteadily, type SteadyLoad } from "./place-steadily.ts";
import { type Probe, probePartitions } from "./probe-partitions.ts";
import { createOperator } from "./restatectl.ts";
import { type Step, stepsOf } from "./steps.ts";

const accountCount = 20;
const requestsPerSecond = 1;
const clientsMsMax = 3 * 3_600_000;
const recoverMsMax = 300_000;
const restMsMax = 600_000;
const stepCount = 6;

/** An earlier release, from which the last step upgrades each node; without it they are only restarted. */
const earlierProgram = ownEnv("RESTATE_SERVER_BEFORE");

interface Row {
  name: string;
  /** The longest that a partition ran nothing, from the fault to the end of the step. */
  recoveryMs: number;
  /** The time from the fault until every node served again. */
  wholeMs: number;
  slowestTaskMs: number;
}

/** Three nodes of the engine under steady load: everything that happens to nodes, one after the other. */
export function runNodes(seconds: number): Promise<boolean> {
  return inScratch("nodes", (dir) => runIn(dir, (seconds * 1_000) / stepCount));
}

async function runIn(dir: string, stepMs: number) {
  await using store = await startSnapshotStore(join(dir, "s3"));
  await using cluster = await prepareCluster(dir, store.env);
  cluster.program = earlierProgram;
  await cluster.nodes[0].start();
  await using front = await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 });
  await using stack = await startService(dir, cluster, front.envOf(0));
  const second = { name: "worker-2", isRegistered: true, stopGraceMs: 400_000 };
  const worker = await stack.startServer({ role: "worker", ...second, env: front.envOf(1) });
  await using receiver = await startReceiver(dir);
  const clientLog = join(dir, "clients.jsonl");
  const log = openLineLog<ClientLine>(clientLog);
  const stop = AbortSignal.timeout(clientsMsMax);
  const tally = newTally();
  const apiUrls = [stack.apiUrl];
  const shared: Shared = { apiUrls, receiverUrl: receiver.url, log, tally, stop };
  const rows = await runSteps(shared, stack, cluster, stepMs);
  log.close();
  const parts = [stack.api, stack.worker, worker, ...cluster.nodes.map((node) => node.process)];
  const evidence = await collectEvidence({
    databaseUrl: stack.databaseOwnerUrl,
    vendorLog: stack.sandboxLog,
    receiverLog: receiver.requestLog,
    clientLog,
    engineAdminUrl: cluster.nodes[0].adminUrl,
    objects: join(dir, "media"),
    searched: [stack.api.logFile, stack.worker.logFile, ...cluster.nodes.map((node) => node.dir)],
    secrets,
    crashes: parts.flatMap(({ name, pid }) => (isAlive(pid) ? [] : name)),
  });
  const violations = printVerdicts(judge(evidence));
  const { sends, unanswered, serverErrors } = tally;
  print(`\n${sends} sends: ${unanswered} without an answer, ${serverErrors} answered 5xx`);
  return resultOf(rows, evidence, violations);
}

function startService(
  dir: string,
  cluster: EngineCluster,
  workerEnv: Record<string, string>,
): Promise<Stack> {
  return startStack({
    dir,
    restate: cluster.nodes[0].process,
    serverEnv: {
      LOG_LEVEL: "info", // the stack reads from the log that the worker is ready
      RESTATE_INGRESS_URL: cluster.ingressUrls,
      RESTATE_ADMIN_URL: cluster.adminUrls,
      ...workerEnv,
    },
    sandboxEnv: { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "500" },
    postgresSettings: { track_commit_timestamp: "on" },
  });
}

async function runSteps(
  shared: Shared,
  stack: Stack,
  cluster: EngineCluster,
  stepMs: number,
): Promise<Row[]> {
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountCount, { name: "customer", credits: 10_000_000, openTasksMax: 10_000 }),
  );
  const load = placeSteadily(shared, accounts, requestsPerSecond);
  const probe = probePartitions(cluster.nodes.map(({ ingressUrl }) => ingressUrl));
  const operator = createOperator(cluster);
  const rows: Row[] = [];
  const quiet = { name: "nothing", run: () => pause(stepMs / 4) };
  print(describe(await runStep(quiet, stepMs / 4, probe, load)));
  for (const step of stepsOf(cluster, operator, stepMs / 4)) {
    const row = await runStep(step, stepMs, probe, load);
    rows.push(row);
    print(describe(row));
    print(await operator.describe());
  }
  await probe.stop();
  const sent = await load.finish();
  const parts = { databaseUrl: stack.databaseOwnerUrl, engineUrl: cluster.nodes[0].adminUrl };
  if (!(await waitUntilIdle(parts, restMsMax))) print("not everything was idle in time");
  await sendFinalQueries(shared, sent);
  return rows;
}

async function runStep(step: Step, stepMs: number, probe: Probe, load: SteadyLoad): Promise<Row> {
  const startedAt = performance.now();
  let brokenAt = startedAt;
  await step.run(() => {
    brokenAt = performance.now();
  });
  const wholeAt = performance.now();
  await waitUntil("every partition runs again", () => probe.hasAnsweredSince(wholeAt), {
    timeoutMs: recoverMsMax,
  });
  await pause(Math.max(0, stepMs - (performance.now() - startedAt)));
  const recoveryMs = probe.longestSilenceSince(brokenAt);
  const slowestTaskMs = load.slowestSince(brokenAt);
  return { name: step.name, recoveryMs, wholeMs: wholeAt - brokenAt, slowestTaskMs };
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);

function describe({ name, recoveryMs, wholeMs, slowestTaskMs }: Row): string {
  return `${name.padEnd(32)} a partition ran nothing for ${inSeconds(recoveryMs)} s, all nodes served after ${inSeconds(wholeMs)} s, slowest task ${inSeconds(slowestTaskMs)} s`;
}

/** No request fails by itself: every task that was given to a client must be completed, by one job. */
function resultOf(
  rows: readonly Row[],
  { rows: tables, clients, vendor }: Evidence,
  faults: number,
) {
  const sent = new Set(answersOf(clients).flatMap(({ taskId }) => taskId ?? []));
  const completed = tables.tasks.filter(({ id, status }) => sent.has(id) && status === "COMPLETED");
  const lost = sent.size - completed.length;
  const doubled = [...jobsByTask(vendor).values()].filter((jobs) => jobs.length > 1).length;
  const recoveryMs = Math.max(...rows.map((row) => row.recoveryMs));
  print("");
  for (const row of rows) print(describe(row));
  return {
    hasPassed: rows.length === stepCount && sent.size > 0 && lost + doubled + faults === 0,
    lastLine: `steps=${rows.length} tasks=${sent.size} lost=${lost} doubled=${doubled} violations=${faults} recovery_s_max=${inSeconds(recoveryMs)}`,
  };
}
