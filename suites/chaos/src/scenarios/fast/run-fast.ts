import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { isAlive } from "@zoetrope/dev/services/is-alive.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { collectEvidence } from "../../check/collect-evidence.ts";
import { judge } from "../../check/invariants.ts";
import type { ClientLine } from "../../kit/client-log.ts";
import { sendFinalQueries } from "../../kit/clients/final-queries.ts";
import { newTally, runClient, type Shared, type Tally } from "../../kit/clients/run-client.ts";
import { offerClip } from "../../kit/clip.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { openLineLog } from "../../kit/json-lines.ts";
import { waitUntilIdle } from "../../kit/open-work.ts";
import { printVerdicts } from "../../kit/print-verdicts.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { secrets } from "../../kit/secrets.ts";
import { type Kills, killRepeatedly } from "./kill-repeatedly.ts";
import { outcomeLines, remarks } from "./outcomes.ts";
import { type ClientPlan, clipSeconds, planFast } from "./plan.ts";

/**
 * Kills happen while requests come in, then pause, then happen again: without the pause hardly a task
 * gets as far as its end, and the crash points there would see no crash.
 */
const wavesMs = [30_000, 15_000];
const calmMs = 9_000; // longer than the engine waits between two tries

const clientsMsMax = 300_000; // from the first request to the last end
const restMsMax = 180_000;
const tasksMin = 300;
const acceptedPercentMin = 90;
const progressEveryMs = 5_000;

/** A task that nothing ends in time fails at this age: what hangs must not outlast the run. */
const ageMsMax = 75_000;

const serverEnv = {
  LOG_LEVEL: "info", // the stack reads from the log that the worker is ready
  POLL_FIRST_MS: "1000",
  VENDOR_BREAK_MS: "1000",
  SUBMIT_RETRY_MS: "2000",
  SWEEP_INTERVAL_MS: "500",
  VIDEO_AGE_MAX_MS: String(ageMsMax),
  UPSCALE_PRESET: "ultrafast",
};
const vendorTimes = { submitMsMax: 3_000, lostMsMax: 15_000 };
const sandboxEnv = {
  SANDBOX_QUEUED_MS: "100",
  SANDBOX_RUNNING_MS: "500",
};

/** 300 tasks of 100 accounts, upscales among them, and corrections of balances, while worker, api and engine are killed repeatedly. */
export function runFast(seed: number): Promise<boolean> {
  return inScratch(`fast-${seed}`, (dir) => runIn(dir, seed));
}

async function runIn(dir: string, seed: number) {
  await using stack = await startStack({
    dir,
    serverEnv,
    vendorTimes,
    sandboxEnv,
    postgresSettings: { track_commit_timestamp: "on" },
  });
  await using receiver = await startReceiver(dir);
  await using clip = await offerClip(dir, clipSeconds);
  const clientLog = join(dir, "clients.jsonl");
  const log = openLineLog<ClientLine>(clientLog);
  const stop = AbortSignal.timeout(clientsMsMax);
  const tally = newTally();
  const shared = { apiUrls: [stack.apiUrl], receiverUrl: receiver.url, log, tally, stop };
  const crashes = await runScenario(shared, stack, planFast(seed, clip.url));
  log.close();
  const evidence = await collectEvidence({
    databaseUrl: stack.databaseOwnerUrl,
    vendorLog: stack.sandboxLog,
    receiverLog: receiver.requestLog,
    clientLog,
    engineAdminUrl: stack.restate.adminUrl,
    objects: join(dir, "media"),
    searched: [stack.api.logFile, stack.worker.logFile, join(dir, "restate")],
    secrets,
    crashes,
  });
  print("\noutcomes of the requests");
  for (const line of outcomeLines(evidence)) print(`  ${line}`);
  const verdicts = judge(evidence);
  const violations = printVerdicts(verdicts);
  for (const line of remarks(evidence)) print(`  remark: ${line}`);
  return resultOf(tally, violations);
}

/** Returns the names of processes that ended by themselves. */
async function runScenario(
  shared: Shared,
  stack: Stack,
  plans: readonly ClientPlan[],
): Promise<string[]> {
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    plans.map((plan) => plan.account),
  );
  const kills = { worker: noKills(), api: noKills(), engine: noKills() };
  const isOver = new AbortController();
  const progress = printProgress(shared.tally, kills, isOver.signal);
  const killing = killInWaves(stack, kills);
  const clients = Promise.all(
    accounts.map(async (account, index) => {
      const plan = plans[index];
      await pause(plan?.startMs);
      return runClient(shared, account, plan?.requests ?? []);
    }),
  );
  const correcting = correctBalances(
    stack,
    accounts.flatMap(({ accountId }, at) => {
      const credits = plans[at]?.correctedBy ?? 0;
      return credits > 0 ? { accountId, credits } : [];
    }),
  );
  const [sent] = await Promise.all([clients, killing, correcting]);
  const parts = { databaseUrl: stack.databaseOwnerUrl, engineUrl: stack.restate.adminUrl };
  const isIdle = await waitUntilIdle(parts, restMsMax);
  if (!isIdle) print("not everything was idle in time");
  await sendFinalQueries(shared, sent.flat());
  isOver.abort();
  await progress;
  const processes = [stack.worker, stack.api, stack.restate, stack.sandbox, stack.postgres];
  const deadNow = processes.filter((part) => !isAlive(part.pid)).map((part) => part.name);
  const deadBefore = Object.entries(kills).flatMap(([name, { crashes }]) =>
    crashes > 0 ? name : [],
  );
  return [...deadNow, ...deadBefore];
}

/** An operator takes away credits that nobody needs, and gives half of them back. */
async function correctBalances(
  stack: Stack,
  accounts: readonly { accountId: string; credits: number }[],
): Promise<void> {
  for (const { accountId, credits } of accounts)
    for (const more of [-credits, Math.ceil(credits / 2)])
      await stack.admin("POST", "/grants", {
        accountId,
        kind: "adjust",
        credits: more,
        reason: "a correction",
      });
}

type AllKills = Record<"worker" | "api" | "engine", Kills>;
const noKills = (): Kills => ({ count: 0, crashes: 0, failedStarts: 0 });

async function killInWaves(stack: Stack, kills: AllKills): Promise<void> {
  for (const waveMs of wavesMs) {
    const stop = AbortSignal.timeout(waveMs);
    const often = { upMsMin: 2_000, killsMax: 100, stop };
    const once = { everyMs: 4_000, upMsMin: 0, killsMax: kills.engine.count + 1, stop };
    await Promise.all([
      killRepeatedly(stack.worker, { ...often, everyMs: 3_000 }, kills.worker),
      killRepeatedly(stack.api, { ...often, everyMs: 5_000 }, kills.api),
      killRepeatedly(stack.restate, once, kills.engine),
    ]);
    await pause(calmMs);
  }
}

async function printProgress(tally: Tally, kills: AllKills, stop: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  while (!stop.aborted) {
    await pause(progressEveryMs, undefined, { signal: stop }).catch(() => {});
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const killed = Object.entries(kills).map(([part, { count }]) => `${part} ${count}`);
    const { accepted, ended } = tally;
    print(
      `${String(seconds).padStart(4)} s  accepted ${accepted}  ended ${ended}  killed ${killed}`,
    );
  }
}

/**
 * Returns the last line. A request should be accepted unless it was made to be refused for lack of
 * credits; a 429 is a wait and not a result. A request without a response in time counts against
 * the service.
 */
function resultOf(tally: Tally, violations: number) {
  const { accepted, refusedAsPlanned, refusedOtherwise, gaveUp } = tally;
  const due = accepted + refusedOtherwise + gaveUp;
  const acceptedPercent = due === 0 ? 0 : Math.floor((accepted / due) * 1000) / 10;
  print(
    `\n${tally.sends} sends: ${tally.unanswered} without an answer, ${tally.serverErrors} answered 5xx, ${tally.limited} over the limit, ${refusedAsPlanned} refused for want of credits as planned`,
  );
  return {
    hasPassed: violations === 0 && acceptedPercent >= acceptedPercentMin && accepted >= tasksMin,
    lastLine: `tasks=${accepted} accepted_pct=${acceptedPercent} violations=${violations}`,
  };
}
