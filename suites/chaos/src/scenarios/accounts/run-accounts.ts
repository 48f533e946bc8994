import { setTimeout as pause } from "node:timers/promises";
import { alike, type OpenedAccount, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import type { RunningProcess } from "@zoetrope/dev/services/process.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { callApi } from "../../kit/call-api.ts";
import { readLines } from "../../kit/json-lines.ts";
import { waitForTasks } from "../../kit/open-work.ts";
import { printCounts, printFaults } from "../../kit/tally.ts";
import { type Change, type Operator, openOperator } from "./operate-accounts.ts";

const customersMax = 10;
const endMsMax = 3_600_000; // only what hangs reaches it
/** A change must be known everywhere within this time. */
const reachMsMax = 5_000;
const submitsOfStep = 5;
const waitingMs = 8_000;

const serverEnv = {
  LOG_LEVEL: "info",
  VENDORS: "[]", // every account comes from the database
  POLL_FIRST_MS: "2000",
  SUBMIT_RETRY_MS: "2000",
};
const sandboxEnv = { SANDBOX_QUEUED_MS: "500", SANDBOX_RUNNING_MS: "2000" };

/**
 * Vendor accounts are added, paused, resumed, rotated and removed while tasks are created without a
 * break. Returns whether every task completed, once, and no process was restarted.
 */
export async function runAccounts(tasksPerSecond: number): Promise<boolean> {
  await using scratch = await makeScratch("accounts");
  const postgresSettings = { track_commit_timestamp: "on" };
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv,
    sandboxEnv,
    postgresSettings,
  });
  const processes = [
    stack.api,
    stack.worker,
    await stack.startServer({ role: "api", name: "api-2" }),
    await stack.startServer({ role: "worker", name: "worker-2" }),
  ];
  const pids = processes.map(({ pid }) => pid);
  const customers = await openAccounts(
    stack.databaseOwnerUrl,
    alike(customersMax, { name: "accounts", credits: 10_000_000, openTasksMax: 100_000 }),
  );
  return await withClient(stack.databaseOwnerUrl, async (db) => {
    const operator = openOperator(stack, db);
    await operator.accept("key-a", "key-b");
    const committed = await operator.add("ark-a", "key-a");
    const stopping = new AbortController();
    const load = makeLoad(stack.apiUrl, customers, tasksPerSecond, stopping.signal);
    const late = await changeAccounts(operator);
    stopping.abort();
    const taskIds = await load;
    print(`  ${taskIds.length} tasks created in ${Math.round((Date.now() - committed) / 1000)} s`);
    await waitForTasks(stack.databaseOwnerUrl, endMsMax);
    const restarts = processes.filter(({ pid }, index) => pid !== pids[index]).length;
    const reachesMs = await readReaches(processes, operator.changes);
    return await judge(stack, db, { taskIds, late, restarts, reachesMs });
  });
}

/** Every change, each under load. Returns how many submits came to an account that was out of use. */
async function changeAccounts(operator: Operator): Promise<number> {
  const { accept, countSubmits, untilSubmits, untilIdle } = operator;
  await untilSubmits("ark-a", submitsOfStep);
  await operator.add("ark-b", "key-b");
  await untilSubmits("ark-b", submitsOfStep);

  const pausedMs = await operator.pause("ark-a");
  await untilIdle("ark-a"); // its open jobs end
  await untilSubmits("ark-b", submitsOfStep);
  let late = await countSubmits("ark-a", pausedMs + reachMsMax);
  await operator.resume("ark-a");
  await untilSubmits("ark-a", submitsOfStep);

  await accept("key-a", "key-b", "key-c");
  await operator.rotate("ark-b", "key-c");
  await accept("key-a", "key-c"); // the old key is revoked
  await untilSubmits("ark-b", submitsOfStep);

  const removedMs = await operator.remove("ark-a");
  await untilIdle("ark-a");
  await accept("key-c");
  await untilSubmits("ark-b", submitsOfStep);
  late += await countSubmits("ark-a", removedMs + reachMsMax);

  await operator.pause("ark-b"); // the only one: tasks wait
  await pause(waitingMs);
  await operator.resume("ark-b");
  await untilSubmits("ark-b", submitsOfStep);
  return late;
}

async function makeLoad(
  apiUrl: string,
  customers: readonly OpenedAccount[],
  tasksPerSecond: number,
  stop: AbortSignal,
): Promise<string[]> {
  const taskIds: string[] = [];
  for (let number = 0; !stop.aborted; number += 1) {
    const key = customers[number % customers.length]?.key ?? "";
    const inputs = { prompt: `Moth no. ${number}.`, duration: "4s" };
    const call = { method: "POST", path: "/api/v1/jobs/createTask", key } as const;
    const idempotencyKey = `task-${number}`;
    const answer = await callApi(apiUrl, {
      ...call,
      idempotencyKey,
      body: { model: "sd2", inputs },
    });
    if (answer === "none" || answer.status !== 200) throw new Error(JSON.stringify(answer));
    taskIds.push((answer.body as { taskId: string }).taskId);
    await pause(1000 / tasksPerSecond);
  }
  return taskIds;
}

/** Returns the time in which each change reached each process, from the processes' own logs. */
async function readReaches(processes: RunningProcess[], changes: Change[]): Promise<number[]> {
  const reaches: number[] = [];
  for (const { logFile } of processes) {
    const lines = await readLines<{ event: string; vendorAccount?: string; time: number }>(logFile);
    const reads = lines.filter(({ event }) => event === "vendor_account.read");
    for (const { name, committedMs } of changes) {
      const isSeen = (line: (typeof reads)[number]) =>
        line.vendorAccount === name && line.time >= committedMs - 1;
      reaches.push((reads.find(isSeen)?.time ?? Number.POSITIVE_INFINITY) - committedMs);
    }
  }
  return reaches;
}

interface Outcome {
  taskIds: string[];
  late: number;
  restarts: number;
  reachesMs: number[];
}

async function judge(
  stack: Stack,
  db: Client,
  { taskIds, late, restarts, reachesMs }: Outcome,
): Promise<boolean> {
  const { rows } = await db.query<{ id: string; status: string; code: string | null }>(
    "select id, status, error_code as code from tasks",
  );
  const ends = new Map(rows.map((row) => [row.id, row]));
  const lost = taskIds.filter((taskId) => ends.get(taskId)?.status !== "COMPLETED");
  const jobs = new Map<string, number>();
  const lines = await readLines<{ event: string; accepted?: boolean; prompt?: string }>(
    stack.sandboxLog,
  );
  for (const { event, accepted, prompt = "" } of lines)
    if (event === "create" && accepted === true) jobs.set(prompt, (jobs.get(prompt) ?? 0) + 1);
  const doubled = [...jobs.values()].filter((count) => count > 1).length;
  const ledger = await stack.operate("ledger", "verify");
  printCounts(rows.map(({ status, code }) => `${status} ${code ?? ""}`.trim()));
  printFaults("LOST", lost);
  const reachMs = Math.ceil(Math.max(...reachesMs));
  const isGood =
    lost.length + doubled + late + restarts === 0 &&
    reachMs <= reachMsMax &&
    ledger["breaches"] === 0;
  const counts = `tasks=${taskIds.length} lost=${lost.length} doubled=${doubled}`;
  const changes = `late_submits=${late} restarts=${restarts} reach_ms_max=${reachMs}`;
  print(`${counts} ${changes} breaches=${ledger["breaches"]}`);
  return isGood;
}
