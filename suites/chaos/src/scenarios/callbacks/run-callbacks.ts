import { alike, type OpenedAccount, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { formatSpread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import {
  behaviourOf,
  countMissing,
  type DeliveryEvidence,
  isTimedOut,
  judgeDeliveries,
} from "../../check/deliveries.ts";
import type { Violation } from "../../check/evidence.ts";
import { readDeliveries } from "../../check/read-deliveries.ts";
import type { OpenTask } from "../../kit/end-tasks-at-once.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { waitUntilIdle } from "../../kit/open-work.ts";
import { createRandom } from "../../kit/random.ts";
import { type CallbackStack, startCallbackStack } from "./callback-stack.ts";
import { delaysOf, latenessOf } from "./delays.ts";
import { endTasks } from "./end-tasks.ts";
import { killWorkers } from "./kill-workers.ts";
import { creditsPerTask, makeTasks } from "./make-tasks.ts";
import { countOtherAnswers, readAllEvents } from "./read-back.ts";
import { callbackUrl, pickBehaviour, type Receivers, startReceivers } from "./receivers.ts";

const seed = 20_260_101;
const accountCount = 200;
/** Divides the service's delays: 15 s become 1.5 s, and the schedule 0, 0.1, 0.5 and 3 s. */
const speed = 10;
/** Ends that come slowly at first, and are not timed: new processes are slow, on a busy machine for seconds. */
const warmUpTasksMax = 500;
const warmUpShare = 0.1;
const warmUpPerSecond = 50;
const restMsMax = 300_000;
/**
 * The limit for 99 in 100 first attempts; or so many times what the end itself took, where the
 * machine is busy with something else.
 */
const firstAttemptMsMax = 1_000;
const firstAttemptEndsMax = 10;
const lateMsMax = 5_000;
const lateEndsMax = 20;
/**
 * The maximum share of time-outs among attempts at receivers that respond: more would hide what the
 * run is to show.
 */
const timedOutShareMax = 0.01;
const shownMax = 8;

export interface CallbackOptions {
  tasks: number;
  endsPerSecond: number;
  /** The interval at which a worker is killed; null: never. */
  killEveryMs: number | null;
}

/** Many ends at a steady rate with receivers of every kind: nothing is lost, and no receiver delays another. */
export function runCallbacks(options: CallbackOptions): Promise<boolean> {
  return inScratch("callbacks", (dir) => runIn(dir, options));
}

async function runIn(dir: string, options: CallbackOptions) {
  await using receivers = await startReceivers(dir);
  await using stack = await startCallbackStack(dir, speed);
  const { accounts, tasks } = await prepare(stack, receivers, options.tasks);
  print(`${tasks.length} tasks of ${accounts.length} accounts, each with a callback`);
  const { kills, timedFromMs, endP99Ms } = await runScenario(stack, tasks, options);
  const evidence: DeliveryEvidence = {
    ...(await readDeliveries(stack.databaseOwnerUrl, receivers.logs)),
    listed: await readAllEvents(stack.apiUrl, accounts),
    hasKills: kills > 0,
    speed,
    lateMsMax: Math.max(lateMsMax, lateEndsMax * endP99Ms),
  };
  const answers = await countOtherAnswers(stack.apiUrl, accounts, evidence.events);
  print(
    `${answers.other} of ${answers.asked} tasks are answered otherwise than their callback said`,
  );
  const dead = stack.parts.filter(({ pid }) => !isAlive(pid)).map(({ name }) => name);
  if (dead.length > 0) print(`ended by themselves: ${dead.join(", ")}`);
  const delays = delaysOf(evidence, timedFromMs);
  const isCorrect = printVerdict(evidence, delays);
  const allowedMs = Math.max(firstAttemptMsMax, firstAttemptEndsMax * endP99Ms);
  const isQuick = kills > 0 || delays.attempted.p99 <= allowedMs;
  if (!isQuick) print(`the first attempt must begin within ${allowedMs} ms for 99 of 100`);
  const missing = Object.values(countMissing(evidence)).reduce((sum, count) => sum + count, 0);
  const isWhole = missing === 0 && evidence.events.length === tasks.length;
  const hasPassed = isCorrect && isQuick && isWhole && answers.other === 0 && dead.length === 0;
  const lastLine = `events=${evidence.events.length} missing=${missing} first_attempt_p99_ms=${delays.attempted.p99}`;
  return { hasPassed, lastLine };
}

/** Ends all tasks, with or without kills, and waits until nothing is left to deliver. */
async function runScenario(stack: CallbackStack, tasks: OpenTask[], options: CallbackOptions) {
  const { endsPerSecond, killEveryMs } = options;
  const database = stack.databaseOwnerUrl;
  const warmUp = Math.min(warmUpTasksMax, Math.floor(tasks.length * warmUpShare));
  await endTasks(database, tasks.slice(0, warmUp), warmUpPerSecond);
  const isOver = new AbortController();
  const killing = killEveryMs === null ? 0 : killWorkers(stack.workers, killEveryMs, isOver.signal);
  const timedFromMs = Date.now();
  const ended = await endTasks(database, tasks.slice(warmUp), endsPerSecond);
  const took = spreadOf(ended.tookMs);
  print(`${ended.reachedPerSecond} ended each second, each in ${formatSpread(took)}`);
  isOver.abort();
  const kills = await killing;
  if (kills > 0) print(`workers were killed ${kills} times`);
  const isIdle = await waitUntilIdle({ databaseUrl: database }, restMsMax);
  if (!isIdle) print("not every delivery was over in time");
  return { kills, timedFromMs, endP99Ms: took.p99 };
}

async function prepare(
  stack: CallbackStack,
  receivers: Receivers,
  count: number,
): Promise<{ accounts: OpenedAccount[]; tasks: OpenTask[] }> {
  const random = createRandom(seed);
  const openTasksMax = Math.ceil(count / accountCount);
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountCount, {
      name: "callbacks",
      credits: creditsPerTask * openTasksMax,
      openTasksMax,
    }),
  );
  const requests = Array.from({ length: count }, (_, number) => ({
    account: accounts[number % accountCount] as OpenedAccount,
    callbackUrl: callbackUrl(receivers, pickBehaviour(random), number, random),
  }));
  return {
    accounts,
    tasks: random.shuffle(
      await withClient(stack.databaseOwnerUrl, (db) => makeTasks(db, requests)),
    ),
  };
}

function printVerdict(evidence: DeliveryEvidence, delays: ReturnType<typeof delaysOf>): boolean {
  const violations = judgeDeliveries(evidence);
  const { unattempted, unlisted, undelivered } = countMissing(evidence);
  const made = [...evidence.deliveries.values()].flatMap(({ attempts }) => attempts);
  const cut = made.filter(({ durationMs }) => durationMs === null).length;
  print(`attempts: ${made.length}, of which a kill cut short ${cut}`);
  if (evidence.hasKills && cut === 0) print("no kill hit an attempt: this run shows nothing");
  print(`from the end to the first attempt: ${formatSpread(delays.attempted)}`);
  print(`from the end to the healthy receiver: ${formatSpread(delays.arrived)}`);
  print(`attempts after a failure began late by: ${formatSpread(latenessOf(evidence))}`);
  print(`never attempted: ${unattempted}, in no events loop: ${unlisted}`);
  print(`not received by a healthy receiver: ${undelivered}`);
  printViolations(violations);
  const timedOut = timedOutShare(evidence);
  print(`answers that nobody was quick enough to read: ${(timedOut * 100).toFixed(2)} %`);
  return violations.length === 0 && evidence.hasKills === cut > 0 && timedOut <= timedOutShareMax;
}

function timedOutShare({ deliveries, speed }: DeliveryEvidence): number {
  const answering = [...deliveries.values()].filter(({ url }) =>
    ["well", "500-always"].includes(behaviourOf(url)),
  );
  const attempts = answering.flatMap(({ attempts }) => attempts);
  const timedOut = attempts.filter((attempt) => isTimedOut(attempt, speed));
  return timedOut.length / Math.max(1, attempts.length);
}

function printViolations(violations: Violation[]): void {
  print(`violations: ${violations.length}`);
  for (const { what, rows } of violations.slice(0, shownMax)) {
    print(`  ${what}`);
    for (const row of rows) print(`    ${JSON.stringify(row)}`);
  }
}
