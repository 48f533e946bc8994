import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { collectEvidence } from "../../check/collect-evidence.ts";
import { countViolations, judge, type Verdict } from "../../check/invariants.ts";
import type { ClientLine } from "../../kit/client-log.ts";
import { sendFinalQueries } from "../../kit/clients/final-queries.ts";
import { newTally, type Shared } from "../../kit/clients/run-client.ts";
import { offerClip } from "../../kit/clip.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { openLineLog } from "../../kit/json-lines.ts";
import { countOpenWork, waitUntilIdle } from "../../kit/open-work.ts";
import { printVerdicts } from "../../kit/print-verdicts.ts";
import { secrets } from "../../kit/secrets.ts";
import { bucket, type Deployment, startDeployment } from "./deployment.ts";
import { type Found, groupOf, inject, type Target } from "./faults.ts";
import { clipSeconds, type Load, type Mood, runLoad } from "./load.ts";
import { describeFault, planFaults } from "./plan-faults.ts";

const load = { tasks: 10_000, accounts: 200, perSecond: 20 };
const clientsMsMax = 6 * 3_600_000;
const restMsMax = 1_200_000;
const progressEveryMs = 30_000;
const pollMs = 3_000;

interface Options {
  readonly seed: number;
  /** The faults to inject, by number; null: all. */
  readonly only: ReadonlySet<number> | null;
}

interface RunRecord {
  faults: number;
  /** Faults that could not be injected, or whose part did not recover. */
  notHealed: string[];
  ledgerChecks: number;
  ledgerBreaches: number;
}

export function runInside(options: Options): Promise<boolean> {
  return inScratch(`tenth-${options.seed}`, (dir) => runIn(dir, options));
}

async function runIn(dir: string, options: Options) {
  await using deployment = await startDeployment(dir);
  await using clip = await offerClip(dir, clipSeconds);
  const { stack, receiver, apiUrls } = deployment;
  const clientLog = join(dir, "clients.jsonl");
  const log = openLineLog<ClientLine>(clientLog);
  const stop = AbortSignal.timeout(clientsMsMax);
  const tally = newTally();
  const shared: Shared = { apiUrls, receiverUrl: receiver.url, log, tally, stop, pollMs };
  const found: Found = { crashes: [], staleWrites: 0 };
  const mood: Mood = { vendor: "well" };
  const record = newRunRecord();
  const startedAt = performance.now();
  await runScenario(
    shared,
    { ...deployment, found, mood },
    { ...options, ...load, clipUrl: clip.url },
    record,
  );
  const minutes = (performance.now() - startedAt) / 60_000;
  log.close();
  const evidence = await collectEvidence({
    databaseUrl: stack.databaseOwnerUrl,
    vendorLog: stack.sandboxLog,
    receiverLog: receiver.requestLog,
    clientLog,
    engineAdminUrl: deployment.cluster.nodes[0].adminUrl,
    objects: { s3: deployment.s3, bucket },
    searched: [...processesOf(deployment).map(({ logFile }) => logFile), ...engineDirs(deployment)],
    secrets,
    crashes: [...found.crashes, ...namesOfDead(deployment)],
  });
  const verdicts = judge(evidence);
  printVerdicts(verdicts);
  const { sends, unanswered, serverErrors, limited } = tally;
  print(
    `\n${sends} sends: ${unanswered} without an answer, ${serverErrors} answered 5xx, ${limited} answered 429`,
  );
  const { ledgerChecks, ledgerBreaches, notHealed } = record;
  print(`the ledger was verified ${ledgerChecks} times meanwhile: ${ledgerBreaches} breaches`);
  for (const what of notHealed) print(`not healed: ${what}`);
  return resultOf({ verdicts, tally, found, record, options, minutes });
}

function newRunRecord(): RunRecord {
  return { faults: 0, notHealed: [], ledgerChecks: 0, ledgerBreaches: 0 };
}

/** Sends the load while faults come, lets everything heal, and waits until nothing is open. */
async function runScenario(
  shared: Shared,
  target: Target,
  options: Options & Load,
  record: RunRecord,
) {
  const { stack, cluster, mood } = target;
  const plan = { name: "customer", credits: 10_000_000, openTasksMax: 1_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(load.accounts, plan));
  const isOver = new AbortController();
  const faults = injectFaults(target, options, record, isOver.signal);
  const corrected = accounts[0]?.accountId ?? "";
  const watching = watch(shared, target, { record, corrected, stop: isOver.signal });
  const sent = await runLoad(shared, accounts, options, mood);
  isOver.abort();
  await faults;
  await watching;
  print(`everything is healed; ${shared.tally.accepted} accepted, ${shared.tally.ended} ended`);
  const parts = {
    databaseUrl: stack.databaseOwnerUrl,
    engineUrl: cluster.nodes[0].adminUrl,
  };
  if (!(await waitUntilIdle(parts, restMsMax))) print("not everything was idle in time");
  await sendFinalQueries(shared, sent);
}

async function injectFaults(
  target: Target,
  { seed, only }: Options,
  record: RunRecord,
  stop: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const groups = new Map<string, Promise<void>>();
  for (const fault of planFaults(seed)) {
    await pause(fault.afterMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) break;
    if (only !== null && !only.has(fault.number)) continue;
    const what = describeFault(fault);
    const run = async () => {
      print(`${secondsSince(startedAt)}  ${what}`);
      record.faults += 1;
      await inject(target, fault).catch((error) => record.notHealed.push(`${what}: ${error}`));
    };
    const group = groupOf(fault);
    groups.set(group, (groups.get(group) ?? Promise.resolve()).then(run));
  }
  await Promise.all(groups.values());
}

/** Prints how far it is, verifies the ledger while everything runs, and corrects the balance of an account. */
async function watch(
  { tally }: Shared,
  { stack }: Target,
  { record, corrected, stop }: { record: RunRecord; corrected: string; stop: AbortSignal },
) {
  let correction = 5;
  const startedAt = performance.now();
  while (!stop.aborted) {
    await pause(progressEveryMs, undefined, { signal: stop }).catch(() => {});
    const open = await countOpenWork(stack.databaseOwnerUrl).catch(() => null);
    const waiting =
      open === null ? "no answer" : `${open.tasks} open, ${open.deliveries} callbacks`;
    const { accepted, ended } = tally;
    print(`${secondsSince(startedAt)}  ${accepted} accepted, ${ended} ended; ${waiting}`);
    // The database may be away: then neither is done.
    correction = -correction;
    const adjustment = { kind: "adjust", credits: correction, reason: "a correction" };
    await stack.admin("POST", "/grants", { accountId: corrected, ...adjustment }).catch(() => null);
    const checked = await stack.operate("ledger", "verify").catch(() => null);
    if (checked === null) continue;
    record.ledgerChecks += 1;
    record.ledgerBreaches += Number(checked["breaches"]);
  }
}

function secondsSince(startedAt: number): string {
  return `${Math.round((performance.now() - startedAt) / 1_000)} s`.padStart(7);
}

function processesOf({ apis, workers, stack, cluster, pair, receiver }: Deployment) {
  const nodes = cluster.nodes.map(({ process }) => process);
  return [...apis, ...workers, ...nodes, stack.sandbox, pair.front, receiver];
}

function namesOfDead(deployment: Deployment): string[] {
  return processesOf(deployment).flatMap(({ name, pid }) => (isAlive(pid) ? [] : name));
}

function engineDirs({ cluster }: Deployment): string[] {
  return cluster.nodes.map(({ dir }) => dir);
}

interface Outcome {
  verdicts: readonly Verdict[];
  tally: Shared["tally"];
  found: Found;
  record: RunRecord;
  options: Options;
  minutes: number;
}

function resultOf({ verdicts, tally, found, record, options, minutes }: Outcome) {
  const count = (...ids: string[]) => countViolations(verdicts, ...ids);
  const { seed } = options;
  const { accounts, tasks } = load;
  const violations = count() + record.ledgerBreaches + found.staleWrites;
  const isComplete = tally.accepted >= tasks && record.notHealed.length === 0;
  return {
    hasPassed: isComplete && violations === 0 && record.ledgerChecks > 0,
    lastLine: `seed=${seed} tasks=${tally.accepted} accounts=${accounts} faults=${record.faults} lost=${count("I6")} doubled=${count("I7", "I10", "I11")} violations=${violations} minutes=${minutes.toFixed(1)}`,
  };
}
