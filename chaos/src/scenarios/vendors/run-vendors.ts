import assert from "node:assert";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { waitUntil } from "@zoetrope/testkit/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/testkit/stack.ts";
import { Client } from "pg";
import { readLines } from "../../kit/json-lines.ts";
import { callApi } from "../../kit/load/call-api.ts";
import { type OpenedAccount, openAccounts } from "../../kit/load/open-accounts.ts";
import { say } from "../../kit/say.ts";
import { numberIn, planVendors, type VendorOrder } from "./plan.ts";

const accountsMax = 20;
const goodPercentMin = 99;
const progressMs = 10_000;
const endMsMax = 900_000;
const atOnceMax = 8;

const serverEnv = {
  LOG_LEVEL: "info",
  POLL_FIRST_MS: "2000",
  BEGIN_AGAIN_MS: "2000",
  SICK_VENDOR_MS: "2000",
};
const vendorTimes = { submitMsMax: 4_000, directMsMax: 120_000, lostMsMax: 300_000 };
const sandboxEnv = { SANDBOX_QUEUED_MS: "200", SANDBOX_RUNNING_MS: "500" };

interface Ended extends VendorOrder {
  taskId: string;
  status: string;
  errorCode: string | null;
  settlement: string | null;
  output: { key: string }[] | null;
  submits: number;
}

/** Tasks of every vendor while submits fail in every way. Says whether all came out right. */
export async function runVendors(count: number): Promise<boolean> {
  await using scratch = await makeScratch("vendors");
  await using stack = await startStack({ dir: scratch.path, serverEnv, vendorTimes, sandboxEnv });
  const accounts = await openAccounts(
    stack.databaseOwnerUrl,
    Array.from({ length: accountsMax }, (_, index) => ({
      ...{ name: `vendors ${index}`, credits: 1_000_000, openTasksMax: count, schedule: null },
    })),
  );
  const orders = planVendors(count);
  const faulty = orders.filter(({ words }) => words !== "").length;
  say(`${count} tasks, ${faulty} of whose submits fail`);
  const taskIds = await placeOrders(stack.apiUrl, accounts, orders);
  const db = new Client({ connectionString: stack.databaseOwnerUrl });
  await db.connect();
  try {
    await untilAllEnd(db);
    const ended = await readEnds(db, orders, taskIds);
    return await judge(stack, ended, join(scratch.path, "media"));
  } finally {
    await db.end();
  }
}

async function placeOrders(apiUrl: string, accounts: OpenedAccount[], orders: VendorOrder[]) {
  const taskIds = new Map<number, string>();
  let next = 0;
  const work = async () => {
    for (let order = orders[next++]; order !== undefined; order = orders[next++]) {
      const account = accounts[order.number % accounts.length];
      assert(account !== undefined);
      const path = "/api/v1/jobs/createTask";
      const answer = await callApi(apiUrl, {
        method: "POST",
        path,
        key: account.key,
        body: order.body,
      });
      assert(answer !== "none" && answer.status === 200, JSON.stringify(answer));
      taskIds.set(order.number, (answer.body as { taskId: string }).taskId);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return taskIds;
}

async function untilAllEnd(db: Client): Promise<void> {
  let toldAt = performance.now();
  await waitUntil(
    "every task has ended",
    async () => {
      const { rows } = await db.query<{ open: string }>("select count(*) as open from open_tasks");
      if (performance.now() - toldAt > progressMs) {
        say(`  ${rows[0]?.open} still open`);
        toldAt = performance.now();
      }
      return rows[0]?.open === "0";
    },
    { timeoutMs: endMsMax, intervalMs: 500 },
  );
}

async function readEnds(
  db: Client,
  orders: VendorOrder[],
  taskIds: Map<number, string>,
): Promise<Ended[]> {
  const { rows } = await db.query<Omit<Ended, keyof VendorOrder>>(`
    select id as "taskId", status, error_code as "errorCode", output,
      (select string_agg(kind, ' ') from transfers t
        where t.cause_id = tasks.id and kind in ('capture', 'release')) as settlement,
      (select count(*)::int from submissions s where s.task_id = tasks.id) as submits
    from tasks`);
  const byId = new Map(rows.map((row) => [row.taskId, row]));
  return orders.map((order) => {
    const row = byId.get(taskIds.get(order.number) ?? "");
    assert(row !== undefined, `order ${order.number} has no task`);
    return { ...order, ...row };
  });
}

async function judge(stack: Stack, ended: Ended[], mediaDir: string): Promise<boolean> {
  const made = await countMade(stack.sandboxLog);
  const extraJobs = [...made.values()].reduce((sum, times) => sum + Math.max(times - 1, 0), 0);
  const violations: string[] = [];
  const violated = (isViolated: boolean, task: Ended, what: string) => {
    if (isViolated) violations.push(`${task.model} no. ${task.number} ${task.words}: ${what}`);
  };
  for (const task of ended) {
    const isGood = task.status === "COMPLETED";
    const rightly = isGood ? "capture" : "release";
    violated(task.settlement !== rightly, task, `${task.status}, yet ${task.settlement}`);
    violated(isGood && !(await isStored(mediaDir, task)), task, "its file is not in storage");
    const isThrottled = task.words.includes("throttle");
    violated(task.submits > (isThrottled ? 2 : 1), task, `submitted ${task.submits} times`);
    const mayFail = !task.hasJob && task.words !== "" && !isThrottled;
    violated(!task.hasJob && !isGood && !mayFail, task, `failed with ${task.errorCode}`);
  }
  const ledger = await stack.operate("ledger", "verify");
  if (ledger["breaches"] !== 0) violations.push(`the ledger: ${JSON.stringify(ledger)}`);
  sayOutcomes(ended);
  for (const violation of violations) say(`  VIOLATED ${violation}`);
  const withJob = ended.filter(({ hasJob }) => hasJob);
  const good = withJob.filter(({ status }) => status === "COMPLETED").length;
  const goodPercent = Math.floor((1000 * good) / withJob.length) / 10;
  say(
    `tasks=${ended.length} good_pct=${goodPercent} extra_jobs=${extraJobs} violations=${violations.length}`,
  );
  return goodPercent >= goodPercentMin && extraJobs === 0 && violations.length === 0;
}

/** How often the sandbox made what an order asked for, from its own journal. */
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

function sayOutcomes(ended: Ended[]): void {
  const lines = new Map<string, number>();
  for (const { model, words, status, errorCode } of ended) {
    const line = `${model.padEnd(13)} ${words.padEnd(20)} ${status} ${errorCode ?? ""}`.trim();
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  for (const [line, times] of [...lines].sort()) say(`  ${String(times).padStart(4)}  ${line}`);
}
