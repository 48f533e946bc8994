import { type OpenedAccount, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { formatSpread, type Spread, spreadOf } from "@zoetrope/testkit/percentile.ts";
import { print } from "@zoetrope/testkit/print.ts";
import type { Client } from "pg";
import { ask } from "../../kit/call-api.ts";
import { endTasksAtOnce } from "../../kit/end-tasks-at-once.ts";
import { inScratch } from "../../kit/in-scratch.ts";
import { readLines } from "../../kit/json-lines.ts";
import { createRandom } from "../../kit/random.ts";
import type { ReceivedRequest } from "../../kit/receiver/received-request.ts";
import { type CallbackStack, startCallbackStack } from "./callback-stack.ts";
import { endTasks } from "./end-tasks.ts";
import { creditsPerTask, makeTasks } from "./make-tasks.ts";
import { callbackUrl, type Receivers, startReceivers } from "./receivers.ts";

const seed = 20_260_102;
const speed = 1; // the waits are those of production: what hangs, hangs for 15 s
const rounds = 5; // each without the backlog, then with it
const quietTasks = 750;
const quietPerSecond = 50;
const arrivalMsMax = 30_000;
const openTasksMax = 1_000;
const ratioMax = 1.2;

interface Parts {
  stack: CallbackStack;
  receivers: Receivers;
  quiet: OpenedAccount;
  noisy: OpenedAccount;
}

interface Measured {
  /** The times from the end of a task to the arrival of its callback. */
  arrived: Spread;
  /** The times that ending it took, which show the state of the machine. */
  ended: Spread;
}

/** An account with a backlog that nobody takes must not delay another's callbacks. */
export function runNoisy(backlog: number): Promise<boolean> {
  return inScratch("noisy", (dir) => runIn(dir, backlog));
}

async function runIn(dir: string, backlog: number) {
  await using receivers = await startReceivers(dir);
  await using stack = await startCallbackStack(dir, speed);
  const [quiet, noisy] = await openAccounts(
    stack.databaseOwnerUrl,
    ["quiet", "noisy"].map((name) => ({
      name,
      openTasksMax,
      credits: creditsPerTask * openTasksMax,
    })),
  );
  if (quiet === undefined || noisy === undefined) throw new Error("no accounts");
  const parts = { stack, receivers, quiet, noisy };
  await makeBacklog(parts, backlog);
  print(`${backlog} callbacks of one account lead nowhere; another's are taken`);
  const without: number[] = [];
  const beside: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await withClient(stack.databaseOwnerUrl, (db) => putAside(db, noisy));
    const alone = await measureQuiet(parts);
    const queued = await queueBacklog(parts, backlog);
    const besideNoise = await measureQuiet(parts);
    const left = await withClient(stack.databaseOwnerUrl, (db) => countOpen(db, noisy));
    print(
      `round ${round}: alone ${formatSpread(alone.arrived)}; ends took ${formatSpread(alone.ended)}`,
    );
    print(`  beside ${queued} waiting, ${left} at the end`);
    print(`  ${formatSpread(besideNoise.arrived)}; ends took ${formatSpread(besideNoise.ended)}`);
    without.push(alone.arrived.p99);
    beside.push(besideNoise.arrived.p99);
  }
  // The middle of the rounds: something else on the machine can spoil one of them.
  const [quietP99, noisyP99] = [spreadOf(without).p50, spreadOf(beside).p50];
  const ratio = noisyP99 / quietP99;
  const lastLine = `quiet_p99_ms=${quietP99} noisy_p99_ms=${noisyP99} ratio=${ratio.toFixed(2)}`;
  return { hasPassed: ratio <= ratioMax, lastLine };
}

/**
 * Makes a backlog: half of it for a few receivers that never respond, half for addresses without a
 * listener, each for a separate host.
 */
async function makeBacklog(parts: Parts, backlog: number): Promise<void> {
  const { stack, receivers, noisy } = parts;
  const random = createRandom(seed);
  for (let made = 0; made < backlog; made += openTasksMax) {
    const count = Math.min(openTasksMax, backlog - made);
    const requests = Array.from({ length: count }, (_, index) => ({
      account: noisy,
      callbackUrl:
        index % 2 === 0
          ? callbackUrl(receivers, "hang", made + index, random)
          : callbackUrl(receivers, "refuse", made + index, random).replace(
              "127.0.0.1",
              deadHost(made + index),
            ),
    }));
    await withClient(stack.databaseOwnerUrl, async (db) =>
      endTasksAtOnce(db, await makeTasks(db, requests)),
    );
  }
}

/** Addresses of this machine that nobody listens on. */
function deadHost(number: number): string {
  return `127.1.${Math.floor(number / 250)}.${1 + (number % 250)}`;
}

/** Ends tasks of the quiet account and measures their callbacks. */
async function measureQuiet({ stack, receivers, quiet }: Parts): Promise<Measured> {
  const random = createRandom(seed);
  const requests = Array.from({ length: quietTasks }, (_, number) => ({
    account: quiet,
    callbackUrl: callbackUrl(receivers, "well", number, random),
  }));
  const tasks = await withClient(stack.databaseOwnerUrl, (db) => makeTasks(db, requests));
  const { tookMs } = await endTasks(stack.databaseOwnerUrl, tasks, quietPerSecond);
  const ids = tasks.map(({ taskId }) => taskId);
  const ends = await withClient(stack.databaseOwnerUrl, (db) => untilDelivered(db, ids));
  const arrivals = new Map<string, number>();
  for (const { webhookId, at } of await readLines<ReceivedRequest>(receivers.logOfHealthy))
    if (webhookId !== null && !arrivals.has(webhookId)) arrivals.set(webhookId, at);
  const arrivedMs = ends.map(
    ({ id, endedMs }) => (arrivals.get(`msg_${id}`) ?? Number.NaN) - endedMs,
  );
  return { arrived: spreadOf(arrivedMs), ended: spreadOf(tookMs) };
}

async function untilDelivered(db: Client, taskIds: string[]) {
  let ends: { id: string; endedMs: number }[] = [];
  const isOver = async () => {
    const { rows } = await db.query<{ id: string; endedMs: number }>(
      `select e.id, (extract(epoch from e.created_at) * 1000)::float8 as "endedMs"
       from events e join deliveries d on d.id = e.id
       where d.task_id = any($1::uuid[]) and d.delivered_at is not null`,
      [taskIds],
    );
    ends = rows;
    return rows.length === taskIds.length;
  };
  const limits = { timeoutMs: arrivalMsMax, intervalMs: 500 };
  await waitUntil("the quiet account's callbacks have arrived", isOver, limits);
  return ends;
}

/** Gives up the backlog; attempts in progress end by themselves. */
async function putAside(db: Client, { accountId }: OpenedAccount): Promise<void> {
  const isGone = async () => {
    await db.query("delete from open_deliveries where account_id = $1", [accountId]);
    const { rows } = await db.query<{ running: string }>(
      `select count(*) as running from attempts t join deliveries d on d.id = t.delivery_id
       where d.account_id = $1 and t.duration_ms is null and t.started_at > now() - interval '16 s'`,
      [accountId],
    );
    return rows[0]?.running === "0";
  };
  await waitUntil("the backlog is put aside", isGone, { timeoutMs: 300_000, intervalMs: 500 });
}

/** Redelivers the whole backlog through the API. */
async function queueBacklog({ stack, noisy }: Parts, backlog: number): Promise<number> {
  const body = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", outcome: "failed" };
  let queued = 0;
  while (queued < backlog) {
    const caller = { apiUrl: stack.apiUrl, key: noisy.key };
    const answer = await ask<Queued>(caller, "/api/v1/webhooks/again", body);
    queued += answer.queued;
    if (!answer.isMore) break;
  }
  return queued;
}

interface Queued {
  queued: number;
  isMore: boolean;
}

async function countOpen(db: Client, { accountId }: OpenedAccount): Promise<number> {
  const { rows } = await db.query<{ open: string }>(
    "select count(*) as open from open_deliveries where account_id = $1",
    [accountId],
  );
  return Number(rows[0]?.open);
}
