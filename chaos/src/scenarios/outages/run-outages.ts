import { setTimeout as pause } from "node:timers/promises";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { Client } from "pg";
import { openAccounts } from "../../kit/load/open-accounts.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { say } from "../../kit/say.ts";
import { comeToRest } from "../fast/come-to-rest.ts";
import { offerClip } from "../upscale/clip.ts";
import { startDeployment } from "./deployment.ts";
import { faultsOf } from "./faults.ts";
import { judge, type Verdict } from "./judge.ts";
import { placeOrders } from "./load.ts";

const accountCount = 12;
const ordersPerSecond = 1;
const clipSeconds = 5;
const betweenMs = 10_000;
const restMsMax = 600_000;
const progressEveryMs = 15_000;
const shownMax = 10;

const serverEnv = {
  LOG_LEVEL: "info",
  UPSCALE_PRESET: "ultrafast",
};
const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "1000" };

/** Every part is away once, under load, and nobody loses anything by it. */
export async function runOutages(awaySeconds: number): Promise<boolean> {
  const scratch = await makeScratch("outages");
  say(`outages: each part away for ${awaySeconds} s, in ${scratch.path}`);
  const hasPassed = await runIn(scratch.path, awaySeconds * 1_000);
  if (hasPassed) await scratch.remove();
  else say(`Everything is kept in ${scratch.path}`);
  return hasPassed;
}

async function runIn(dir: string, awayMs: number): Promise<boolean> {
  await using deployment = await startDeployment(dir, { serverEnv, sandboxEnv });
  await using receiver = await startReceiver(dir);
  await using clip = await offerClip(dir, clipSeconds);
  const { stack, apiUrls } = deployment;
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    Array.from({ length: accountCount }, (_, index) => ({
      ...{ name: `customer ${index}`, credits: 10_000_000, openTasksMax: 10_000, schedule: null },
    })),
  );
  const stopping = new AbortController();
  const options = { apiUrls, accounts, receiverUrl: receiver.url, clipUrl: clip.url };
  const placing = placeOrders({ ...options, ordersPerSecond, stop: stopping.signal });
  const startedAt = performance.now();
  await pause(betweenMs);
  for (const { name, happen } of faultsOf(deployment, dir, awayMs)) {
    const at = Math.round((performance.now() - startedAt) / 1_000);
    say(`${String(at).padStart(5)} s  ${name}`);
    await happen();
    await sayOpen(stack.databaseOwnerUrl);
    await pause(betweenMs);
  }
  stopping.abort();
  const load = await placing;
  say(`${load.accepted.length} tasks accepted, ${load.unavailable} requests had to be repeated`);
  const isOver = new AbortController();
  const progress = sayProgress(stack.databaseOwnerUrl, isOver.signal);
  await comeToRest(stack.databaseOwnerUrl, stack.restate.adminUrl, restMsMax);
  isOver.abort();
  await progress;
  const verdict = await judge(load.accepted, {
    apiUrl: stack.apiUrl,
    receiverLog: receiver.requestLog,
    vendorLog: stack.sandboxLog,
  });
  const ledger = await stack.operate("ledger", "verify");
  say(`ledger verify: ${JSON.stringify(ledger)}`);
  return sayLast(load.accepted.length, load.refused, verdict);
}

async function sayProgress(databaseUrl: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sayOpen(databaseUrl);
    await pause(progressEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

async function sayOpen(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ tasks: string; deliveries: string }>(
    "select (select count(*) from open_tasks) as tasks, (select count(*) from open_deliveries) as deliveries",
  );
  await client.end();
  say(`         open: ${rows[0]?.tasks} tasks, ${rows[0]?.deliveries} callbacks`);
}

function sayLast(tasks: number, refused: readonly string[], verdict: Verdict): boolean {
  const { lost, paidAndLost, failedByUs, stuck } = verdict;
  for (const [name, found] of Object.entries({ refused, ...verdict }))
    for (const what of found.slice(0, shownMax)) say(`  ${name}: ${what}`);
  say(
    `tasks=${tasks} lost=${lost.length + refused.length} paid_and_lost=${paidAndLost.length} failed_by_us=${failedByUs.length} stuck=${stuck.length}`,
  );
  const faults = [lost, refused, paidAndLost, failedByUs, stuck];
  return tasks > 0 && faults.every((found) => found.length === 0);
}
