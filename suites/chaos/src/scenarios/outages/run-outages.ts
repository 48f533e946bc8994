import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { offerClip } from "../../kit/clip.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { countOpenWork, waitUntilIdle } from "../../kit/open-work.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { printFaults } from "../../kit/tally.ts";
import { startDeployment } from "./deployment.ts";
import { faultsOf } from "./faults.ts";
import { judge, type Verdict } from "./judge.ts";
import { placeRequests } from "./load.ts";

const accountCount = 12;
const requestsPerSecond = 1;
const clipSeconds = 5;
const betweenMsMax = 10_000;
const restMsMax = 600_000;
const progressEveryMs = 15_000;

const serverEnv = {
  LOG_LEVEL: "info",
  UPSCALE_PRESET: "ultrafast",
};
const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "1000" };

/** Every part is unavailable once, under load, and no task is lost. */
export function runOutages(awaySeconds: number): Promise<boolean> {
  print(`each part is away for ${awaySeconds} s`);
  return inScratch("outages", (dir) => runIn(dir, awaySeconds * 1_000));
}

async function runIn(dir: string, awayMs: number) {
  await using deployment = await startDeployment(dir, { serverEnv, sandboxEnv });
  await using receiver = await startReceiver(dir);
  await using clip = await offerClip(dir, clipSeconds);
  const { stack, apiUrls } = deployment;
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountCount, { name: "customer", credits: 10_000_000, openTasksMax: 10_000 }),
  );
  const stopping = new AbortController();
  const options = { apiUrls, accounts, receiverUrl: receiver.url, clipUrl: clip.url };
  const placing = placeRequests({ ...options, requestsPerSecond, stop: stopping.signal });
  const startedAt = performance.now();
  const betweenMs = Math.min(awayMs, betweenMsMax);
  await pause(betweenMs);
  for (const { name, inject } of faultsOf(deployment, dir, awayMs)) {
    const at = Math.round((performance.now() - startedAt) / 1_000);
    print(`${String(at).padStart(5)} s  ${name}`);
    await inject();
    await printOpen(stack.databaseOwnerUrl);
    await pause(betweenMs);
  }
  stopping.abort();
  const load = await placing;
  print(`${load.accepted.length} tasks accepted, ${load.unavailable} requests had to be repeated`);
  const isOver = new AbortController();
  const progress = printProgress(stack.databaseOwnerUrl, isOver.signal);
  await waitUntilIdle(
    { databaseUrl: stack.databaseOwnerUrl, engineUrl: stack.restate.adminUrl },
    restMsMax,
  );
  isOver.abort();
  await progress;
  const verdict = await judge(load.accepted, {
    apiUrl: stack.apiUrl,
    receiverLog: receiver.requestLog,
    vendorLog: stack.sandboxLog,
  });
  const ledger = await stack.operate("ledger", "verify");
  print(`ledger verify: ${JSON.stringify(ledger)}`);
  return resultOf(load.accepted.length, load.refused, verdict);
}

async function printProgress(databaseUrl: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await printOpen(databaseUrl);
    await pause(progressEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

async function printOpen(databaseUrl: string): Promise<void> {
  const { tasks, deliveries } = await countOpenWork(databaseUrl);
  print(`         open: ${tasks} tasks, ${deliveries} callbacks`);
}

function resultOf(tasks: number, refused: readonly string[], verdict: Verdict) {
  const { lost, paidAndLost, failedByUs, stuck } = verdict;
  for (const [name, found] of Object.entries({ refused, ...verdict }))
    printFaults(`${name}:`, found);
  const faults = [lost, refused, paidAndLost, failedByUs, stuck];
  return {
    hasPassed: tasks > 0 && faults.every((found) => found.length === 0),
    lastLine: `tasks=${tasks} lost=${lost.length + refused.length} paid_and_lost=${paidAndLost.length} failed_by_us=${failedByUs.length} stuck=${stuck.length}`,
  };
}
