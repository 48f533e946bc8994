import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { queryEngine } from "@zoetrope/testkit/services/restate-admin.ts";
import { offerClip } from "../../kit/clip.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { countOpenWork, waitUntilIdle } from "../../kit/open-work.ts";
import { startReceiver } from "../../kit/receiver/start-receiver.ts";
import { printFaults } from "../../kit/tally.ts";
import { judge } from "../outages/judge.ts";
import { placeRequests } from "../outages/load.ts";
import { type Release, type Releases, startPrevious } from "./releases.ts";
import { createWaitingTasks, type WaitingTasks } from "./waiting-tasks.ts";

/** An hour at 15 times the usual pace for the default of 500 tasks, and less for fewer. */
const besideMsPerTask = 480;
const besideMsMin = 10_000;
const accountCount = 12;
const requestsPerSecond = 1;
const clipSeconds = 5;
const restMsMax = 900_000;

/**
 * The previous release and this one, one after the other and side by side, forwards, back and forwards
 * again, while tasks come in and others wait for their vendor.
 */
export function runUpgrade(waitingTasks: number): Promise<boolean> {
  return inScratch("upgrade", (dir) => runIn(dir, waitingTasks));
}

async function runIn(dir: string, waitingTasks: number) {
  await using releases = await startPrevious(dir);
  await using receiver = await startReceiver(dir);
  await using clip = await offerClip(dir, clipSeconds);
  const { stack, previous } = releases;
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountCount, { name: "customer", credits: 10_000_000, openTasksMax: 10_000 }),
  );
  const waiting = await createWaitingTasks({
    apiUrl: previous.apiUrl,
    sandboxControl: stack.sandboxControl,
    receiverUrl: receiver.url,
    accounts,
    count: waitingTasks,
  });
  print(`${waitingTasks} tasks of the previous release wait for their vendor`);
  const stopping = new AbortController();
  const apiUrls = [previous.apiUrl];
  const options = { apiUrls, accounts, receiverUrl: receiver.url, clipUrl: clip.url };
  const placing = placeRequests({ ...options, requestsPerSecond, stop: stopping.signal });
  const next = await rollOut(releases, waiting, apiUrls);
  stopping.abort();
  const load = await placing;
  print(`${load.accepted.length} tasks came in, ${load.unavailable} requests had to be repeated`);
  const { databaseOwnerUrl: databaseUrl, restate } = stack;
  await waitUntilIdle({ databaseUrl, engineUrl: restate.adminUrl }, restMsMax);
  const accepted = [...waiting.accepted, ...load.accepted];
  const sources = { receiverLog: receiver.requestLog, vendorLog: stack.sandboxLog };
  const verdict = await judge(accepted, { apiUrl: next.apiUrl, ...sources });
  const { lost, paidAndLost, failedByUs, stuck } = verdict;
  const left = await addressesOf(restate.adminUrl);
  const { breaches } = await stack.operate("ledger", "verify");
  for (const [name, found] of Object.entries({ refused: load.refused, ...verdict }))
    printFaults(`${name}:`, found);
  const faults = [lost, load.refused, paidAndLost, failedByUs, stuck].flat().length;
  return {
    hasPassed: load.accepted.length > 0 && faults === 0 && left.length === 1 && breaches === 0,
    lastLine: `tasks=${accepted.length} waiting=${waitingTasks} lost=${lost.length + load.refused.length} paid_and_lost=${paidAndLost.length} failed_by_us=${failedByUs.length} stuck=${stuck.length} deployments_left=${left.length} breaches=${breaches}`,
  };
}

/** Every step under load; in each the vendor ends some of the tasks that wait. */
async function rollOut(
  releases: Releases,
  waiting: WaitingTasks,
  apiUrls: string[],
): Promise<Release> {
  const { stack, previous } = releases;
  const { adminUrl } = stack.restate;
  const count = waiting.accepted.length;
  const besideMs = Math.max(besideMsMin, count * besideMsPerTask);
  const startedAt = performance.now();
  const step = async (name: string, run: () => Promise<unknown>) => {
    print(`${String(Math.round((performance.now() - startedAt) / 1_000)).padStart(5)} s  ${name}`);
    await run();
    await waiting.end(Math.ceil(count / 5));
    const { tasks } = await countOpenWork(stack.databaseOwnerUrl);
    const addresses = await addressesOf(adminUrl);
    print(`         open: ${tasks} tasks; the engine knows ${addresses.length} addresses`);
  };
  await step("the schema is expanded", () => releases.expand());
  let next: Release | undefined;
  await step("this release joins, and both run side by side", async () => {
    next = await releases.join();
    apiUrls.push(next.apiUrl);
    await pause(besideMs);
  });
  if (next === undefined) throw new Error("this release did not start");
  const joined = next;
  await step("this release is taken back", async () => {
    await Promise.all([joined.api.stop(), joined.worker.stop()]);
    await pause(besideMs / 10);
  });
  await step("this release comes again, and the previous one is drained", async () => {
    await Promise.all([joined.api.restart(), joined.worker.restart()]);
    releases.front.target = joined.apiUrl;
    await Promise.all([previous.api.stop(), previous.worker.stop()]);
    await pause(besideMs / 10);
  });
  await step("later releases add, fill and drop a column", () => releases.contract());
  return joined;
}

/** The addresses of workers that the engine knows. */
async function addressesOf(adminUrl: string): Promise<string[]> {
  const rows = await queryEngine(adminUrl, "select endpoint from sys_deployment");
  return rows.map(({ endpoint }) => String(endpoint));
}
