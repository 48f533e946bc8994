import assert from "node:assert";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import type { Client } from "pg";
import { createTasks } from "../../kit/create-tasks.ts";
import { readLines } from "../../kit/json-lines.ts";
import { type OpenWork, waitForTasks } from "../../kit/open-work.ts";
import { printCounts, printFaults } from "../../kit/tally.ts";
import { numberIn, planVendors, type VendorRequest } from "./plan.ts";

const accountsMax = 20;
const goodPercentMin = 99;
const progressMs = 10_000;
const endMsMax = 900_000;

const serverEnv = {
  LOG_LEVEL: "info",
  POLL_FIRST_MS: "2000",
  SUBMIT_RETRY_MS: "2000",
  VENDOR_BREAK_MS: "2000",
};
const vendorTimes = { submitMsMax: 30_000, directMsMax: 120_000, lostMsMax: 300_000 };
const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "500" };

interface Ended extends VendorRequest {
  taskId: string;
  status: string;
  errorCode: string | null;
  settlement: string | null;
  output: { key: string }[] | null;
  submits: number;
}

/** Tasks of every vendor while submits fail in every way. Returns whether every task ended as it must. */
export async function runVendors(count: number): Promise<boolean> {
  await using scratch = await makeScratch("vendors");
  await using stack = await startStack({ dir: scratch.path, serverEnv, vendorTimes, sandboxEnv });
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    alike(accountsMax, { name: "vendors", credits: 1_000_000, openTasksMax: count }),
  );
  const requests = planVendors(count);
  const faulty = requests.filter(({ directives }) => directives !== "").length;
  print(`${count} tasks, ${faulty} of whose submits fail`);
  const bodies = requests.map(({ body }) => body);
  const taskIds = await createTasks(stack.apiUrl, accounts, bodies);
  await waitForTasks(stack.databaseOwnerUrl, endMsMax, printEvery(progressMs));
  const ended = await withClient(stack.databaseOwnerUrl, (db) => readEnds(db, requests, taskIds));
  return await judge(stack, ended, join(scratch.path, "media"));
}

function printEvery(everyMs: number): (open: OpenWork) => void {
  let printedAt = performance.now();
  return ({ tasks }) => {
    if (performance.now() - printedAt < everyMs) return;
    print(`  ${tasks} still open`);
    printedAt = performance.now();
  };
}

async function readEnds(
  db: Client,
  requests: VendorRequest[],
  taskIds: readonly string[],
): Promise<Ended[]> {
  const { rows } = await db.query<Omit<Ended, keyof VendorRequest>>(`
    select id as "taskId", status, error_code as "errorCode", output,
      (select string_agg(kind, ' ') from transfers t
        where t.cause_id = tasks.id and kind in ('capture', 'release')) as settlement,
      (select count(*)::int from submissions s where s.task_id = tasks.id) as submits
    from tasks`);
  const byId = new Map(rows.map((row) => [row.taskId, row]));
  return requests.map((request) => {
    const row = byId.get(taskIds[request.number] ?? "");
    assert(row !== undefined, `request ${request.number} has no task`);
    return { ...request, ...row };
  });
}

async function judge(stack: Stack, ended: Ended[], mediaDir: string): Promise<boolean> {
  const made = await countMade(stack.sandboxLog);
  const extraJobs = [...made.values()].reduce((sum, times) => sum + Math.max(times - 1, 0), 0);
  const violations: string[] = [];
  const violated = (isViolated: boolean, task: Ended, what: string) => {
    if (isViolated) violations.push(`${task.model} no. ${task.number} ${task.directives}: ${what}`);
  };
  for (const task of ended) {
    const isGood = task.status === "COMPLETED";
    const rightly = isGood ? "capture" : "release";
    violated(task.settlement !== rightly, task, `${task.status}, yet ${task.settlement}`);
    violated(isGood && !(await isStored(mediaDir, task)), task, "its file is not in storage");
    const isThrottled = task.directives.includes("throttle");
    violated(task.submits > (isThrottled ? 2 : 1), task, `submitted ${task.submits} times`);
    const mayFail = !task.hasJob && task.directives !== "" && !isThrottled;
    violated(!task.hasJob && !isGood && !mayFail, task, `failed with ${task.errorCode}`);
  }
  const ledger = await stack.operate("ledger", "verify");
  if (ledger["breaches"] !== 0) violations.push(`the ledger: ${JSON.stringify(ledger)}`);
  printOutcomes(ended);
  printFaults("VIOLATED", violations, violations.length);
  const withJob = ended.filter(({ hasJob }) => hasJob);
  const good = withJob.filter(({ status }) => status === "COMPLETED").length;
  const goodPercent = Math.floor((1000 * good) / withJob.length) / 10;
  print(
    `tasks=${ended.length} good_pct=${goodPercent} extra_jobs=${extraJobs} violations=${violations.length}`,
  );
  return goodPercent >= goodPercentMin && extraJobs === 0 && violations.length === 0;
}

/** Returns the number of jobs that the sandbox accepted for each task, from its journal. */
async function countMade(journal: string): Promise<Map<number, number>> {
  const made = new Map<number, number>();
  for (const line of await readLines<{ event: string; accepted?: boolean; prompt?: string }>(
    journal,
  )) {
    if (line.event !== "create" || line.accepted !== true) continue;
    const number = numberIn(line.prompt ?? "");
    if (number !== null) made.set(number, (made.get(number) ?? 0) + 1);
  }
  return made;
}

async function isStored(mediaDir: string, { output }: Ended): Promise<boolean> {
  const key = output?.[0]?.key;
  if (key === undefined) return false;
  return access(join(mediaDir, key.slice(0, 2), key)).then(
    () => true,
    () => false,
  );
}

function printOutcomes(ended: Ended[]): void {
  printCounts(
    ended.map(({ model, directives, status, errorCode }) =>
      `${model.padEnd(13)} ${directives.padEnd(20)} ${status} ${errorCode ?? ""}`.trim(),
    ),
  );
}
