import { join } from "node:path";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { onlyRow } from "@zoetrope/server/db/only-row.ts";
import {
  type PostgresPair,
  startPostgresPair,
} from "@zoetrope/testkit/postgres-pair/start-postgres-pair.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { startWorkerFront } from "@zoetrope/testkit/services/worker-front.ts";
import { collectEvidence } from "../../check/collect-evidence.ts";
import { countViolations, judge, type Verdict } from "../../check/invariants.ts";
import { answersOf, type ClientLine } from "../../kit/client-log.ts";
import { sendFinalQueries } from "../../kit/clients/final-queries.ts";
import { newTally, type Shared } from "../../kit/clients/run-client.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { openLineLog, readLines } from "../../kit/json-lines.ts";
import { waitUntilIdle } from "../../kit/open-work.ts";
import { printVerdicts } from "../../kit/print-verdicts.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { secrets } from "../../kit/secrets.ts";
import { type Fault, faultsOf, type StaleWrite } from "./faults.ts";
import { runLoad } from "./load.ts";
import { longestGapMs, type Span } from "./longest-gap.ts";

const accountCount = 24;
const perSecond = 3;
/** Creates that are accepted before the first fault and between two. */
const betweenTasks = 20;
const clientsMsMax = 3_600_000;
const restMsMax = 600_000;

const serverEnv = { LOG_LEVEL: "info" };
const sandboxEnv = { SANDBOX_QUEUED_MS: "100", SANDBOX_RUNNING_MS: "500" };

interface FaultSpan extends Span {
  name: string;
}

interface Run {
  readonly pair: PostgresPair;
  readonly stack: Stack;
  readonly shared: Shared;
  readonly tasksMin: number;
}

/** A pair of PostgreSQL servers under load while its members are killed, frozen and exchanged. */
export function runFailover(tasksMin: number): Promise<boolean> {
  return inScratch("failover", (dir) => runIn(dir, tasksMin));
}

async function runIn(dir: string, tasksMin: number) {
  const settings = { track_commit_timestamp: "on" };
  await using pair = await startPostgresPair({ dir: join(dir, "pair"), settings });
  await using front = await startWorkerFront({ dir: join(dir, "worker-front"), count: 2 });
  await using stack = await startStack({
    dir,
    sandboxEnv,
    postgres: pair.front,
    serverEnv: { ...serverEnv, ...front.envOf(0) },
  });
  await using receiver = await startReceiver(dir);
  const second = { isRegistered: true, env: front.envOf(1) };
  const api = await stack.startServer({ ...second, role: "api", name: "api-2" });
  const worker = await stack.startServer({ ...second, role: "worker", name: "worker-2" });
  const servers = [stack.api, stack.worker, api, worker];
  const clientLog = join(dir, "clients.jsonl");
  const log = openLineLog<ClientLine>(clientLog);
  const shared: Shared = {
    apiUrls: [stack.apiUrl, api.url],
    receiverUrl: receiver.url,
    log,
    tally: newTally(),
    stop: AbortSignal.timeout(clientsMsMax),
  };
  const stale: StaleWrite[] = [];
  const faults = faultsOf(pair, stack.databaseOwnerUrl, stale);
  const timeline = await readTimeline(stack);
  const spans = await runScenario({ pair, stack, shared, tasksMin }, faults);
  log.close();
  const failovers = (await readTimeline(stack)) - timeline;
  const evidence = await collectEvidence({
    databaseUrl: stack.databaseOwnerUrl,
    vendorLog: stack.sandboxLog,
    receiverLog: receiver.requestLog,
    clientLog,
    engineAdminUrl: stack.restate.adminUrl,
    objects: join(dir, "media"),
    searched: [...servers.map(({ logFile }) => logFile), join(dir, "restate")],
    secrets,
    crashes: namesOfDead([...servers, stack.restate, stack.sandbox, pair.front]),
  });
  const verdicts = judge(evidence);
  printVerdicts(verdicts);
  const outages = await printOutages(spans, clientLog);
  const { sends, unanswered, serverErrors, accepted } = shared.tally;
  print(`\n${sends} sends: ${unanswered} without an answer, ${serverErrors} answered 5xx`);
  const ledger = await stack.operate("ledger", "verify");
  print(`ledger verify: ${JSON.stringify(ledger)}`);
  for (const { outcome } of stale) print(`a write to the old primary was ${outcome}`);
  const isFenced = stale.every(({ outcome }) => outcome === "refused");
  const behindSince = await readBehindSince(stack);
  if (behindSince !== null) print(`the database was taken for a restored one at ${behindSince}`);
  const planned = faults.reduce((sum, fault) => sum + fault.promotions, 0);
  const hasNoAlarm = behindSince === null;
  return resultOf({ accepted, verdicts, failovers, planned, isFenced, hasNoAlarm, outages });
}

/** Sends the load, injects the faults one after the other, and waits until nothing is open. */
async function runScenario(run: Run, faults: readonly Fault[]): Promise<FaultSpan[]> {
  const { pair, stack, shared } = run;
  const plan = { name: "customer", credits: 10_000_000, openTasksMax: 10_000 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountCount, plan));
  const isOver = new AbortController();
  const load = { perSecond, tasksMin: run.tasksMin, stop: isOver.signal };
  const clients = runLoad(shared, accounts, load);
  const spans: FaultSpan[] = [];
  for (const { name, inject } of faults) {
    await untilAccepted(shared, betweenTasks);
    const fromMs = Date.now();
    await inject();
    spans.push({ name, fromMs, toMs: Date.now() });
    const { accepted, ended } = shared.tally;
    print(
      `${name}: ${(await pair.primary()).name} is the primary; ${accepted} accepted, ${ended} ended`,
    );
  }
  await untilAccepted(shared, betweenTasks);
  isOver.abort();
  const sent = await clients;
  const parts = { databaseUrl: stack.databaseOwnerUrl, engineUrl: stack.restate.adminUrl };
  if (!(await waitUntilIdle(parts, restMsMax))) print("not everything was idle in time");
  await sendFinalQueries(shared, sent);
  return spans;
}

function untilAccepted({ tally }: Shared, more: number): Promise<void> {
  const enough = tally.accepted + more;
  const isEnough = () => tally.accepted >= enough;
  return waitUntil("creates are accepted", isEnough, { timeoutMs: restMsMax, intervalMs: 100 });
}

/** Rises with every promotion. */
async function readTimeline({ databaseOwnerUrl }: Stack): Promise<number> {
  const text = "select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline";
  const { rows } = await withClient(databaseOwnerUrl, (db) => db.query<{ timeline: string }>(text));
  return Number.parseInt(rows[0]?.timeline ?? "", 16);
}

/**
 * Returns the time at which a worker took the database for one that was restored, or null: a
 * synchronous failover loses nothing.
 */
async function readBehindSince({ databaseOwnerUrl }: Stack): Promise<string | null> {
  const text = "select behind_since::text from fence where is_only";
  const { rows } = await withClient(databaseOwnerUrl, (db) =>
    db.query<{ behind_since: string | null }>(text),
  );
  return onlyRow(rows).behind_since;
}

function namesOfDead(processes: readonly RunningProcess[]): string[] {
  return processes.filter(({ pid }) => !isAlive(pid)).map(({ name }) => name);
}

/** Prints the outages by fault and returns them in seconds. */
async function printOutages(spans: readonly FaultSpan[], clientLog: string): Promise<number[]> {
  const lines = await readLines<ClientLine>(clientLog);
  const acceptedAt = answersOf(lines).flatMap(({ at, status }) => (status === 200 ? at : []));
  print("\n| fault | s without an accepted create | s until the pair is complete |");
  print("| --- | --- | --- |");
  return spans.map((span) => {
    const outage = longestGapMs(acceptedAt, span) / 1_000;
    const whole = (span.toMs - span.fromMs) / 1_000;
    print(`| ${span.name} | ${outage.toFixed(1)} | ${whole.toFixed(0)} |`);
    return outage;
  });
}

interface Outcome {
  accepted: number;
  verdicts: readonly Verdict[];
  failovers: number;
  planned: number;
  /** The old primary accepts no writes once another is the primary. */
  isFenced: boolean;
  /** No worker took the database for one that was restored. */
  hasNoAlarm: boolean;
  outages: readonly number[];
}

/** A promotion that nobody asked for is no fault of the service, but it is counted. */
function resultOf(outcome: Outcome) {
  const { accepted, verdicts, failovers, planned, isFenced, hasNoAlarm, outages } = outcome;
  const count = (...ids: string[]) => countViolations(verdicts, ...ids);
  return {
    hasPassed: accepted > 0 && count() === 0 && isFenced && hasNoAlarm && failovers >= planned,
    lastLine: `tasks=${accepted} lost=${count("I6")} doubled=${count("I7", "I10", "I11")} violations=${count()} failovers=${failovers} outage_s_max=${Math.max(...outages).toFixed(1)}`,
  };
}
