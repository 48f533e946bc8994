import { setTimeout as pause } from "node:timers/promises";
import { alike, openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import type { Stack } from "@zoetrope/dev/stack.ts";
import { type Client, createClient } from "@zoetrope/testkit/api-client.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { controlSandbox } from "@zoetrope/testkit/sandbox-control.ts";

/** A task that a client was given, and what its prompt begins with. */
export interface SentTask {
  taskId: string;
  mark: string;
  /** Whether it was accepted after the point that is restored. */
  isLate: boolean;
}

type Model = "sd2" | "happyhorse" | "image-plus-2";

const waitMsMax = 600_000;
const accountsMax = 6;
/** A task that is younger than this at the point may be mistaken for one that is lost. */
const apartMs = 12_000;

/** Clients that create tasks with callbacks, and what was given to them. */
export async function openLoad(stack: Stack, hookUrl: string) {
  const plan = { name: "drill", credits: 100_000, openTasksMax: 20 };
  const accounts = await openAccounts(stack.databaseOwnerUrl, alike(accountsMax, plan));
  const clients = accounts.map(({ key }) =>
    createClient(stack.apiUrl, key, { taskMsMax: waitMsMax }),
  );
  const sent: SentTask[] = [];
  const state = { isLate: false };
  const create = async (model: Model, directives = ""): Promise<SentTask> => {
    const number = sent.length;
    const mark = `drill-${String(number).padStart(3, "0")}.`;
    const client = clients[number % clients.length] as Client;
    const prompt = `${mark} a lighthouse at night ${directives}`.trim();
    const callBackUrl = hookUrl;
    const taskId = await client.create(model, { prompt }, { callBackUrl });
    const task = { taskId, mark, isLate: state.isLate };
    sent.push(task);
    return task;
  };
  const createAll = async (models: Model[], directives = ""): Promise<SentTask[]> => {
    const tasks: SentTask[] = [];
    for (const model of models) tasks.push(await create(model, directives));
    return tasks;
  };
  const passPoint = () => {
    state.isLate = true;
  };
  return { sent, createAll, passPoint };
}

export type Load = Awaited<ReturnType<typeof openLoad>>;

const sd2 = (count: number): Model[] => Array.from({ length: count }, () => "sd2");

/** Before the point: tasks that are over, that a vendor works on, and that nobody has submitted yet. */
export async function loadBefore(stack: Stack, load: Load): Promise<string> {
  await load
    .createAll([...sd2(6), "happyhorse", "image-plus-2"])
    .then((tasks) => ended(stack, tasks));
  const atWork = await load.createAll([...sd2(4), "happyhorse", "happyhorse"], "[sandbox:hang]");
  await submitted(stack, atWork);
  await stack.worker.stop();
  await load.createAll([...sd2(4), "happyhorse", "image-plus-2"]);
  await load.createAll([...sd2(2), "happyhorse"], "[sandbox:hang]");
  await pause(apartMs);
  await load.createAll(sd2(2)); // too recent to be told from a lost one
  const point = await query<{ at: string }>(stack, "select clock_timestamp()::text as at");
  load.passPoint();
  return point[0]?.at ?? "";
}

/**
 * Loads the service after the point: all tasks continue, and more are accepted, submitted, charged
 * and called back.
 */
export async function loadAfter(stack: Stack, load: Load): Promise<void> {
  await stack.worker.restart();
  const before = load.sent.filter(({ isLate }) => !isLate);
  await submitted(stack, before);
  const control = controlSandbox(stack.sandboxControl);
  const jobs = (await control.listJobs()).filter(({ status }) => status === "running");
  for (const { id } of jobs.slice(0, 3)) await control.finish(id, "succeeded");
  await ended(stack, await load.createAll([...sd2(3), "happyhorse"]));
  await submitted(stack, await load.createAll(sd2(2), "[sandbox:hang]"));
  await stack.worker.kill();
  await load.createAll(sd2(2)); // the engine has their wake-ups and nobody to give them to
  print(`  ${load.sent.length} tasks, ${load.sent.length - before.length} of them after the point`);
}

/** All of the log until now is in the repository. */
export async function handOverLog(stack: Stack): Promise<void> {
  const [log] = await query<{ file: string }>(
    stack,
    "select pg_walfile_name(pg_switch_wal()) as file",
  );
  await waitUntil(
    "the log is archived",
    async () => {
      const text = "select last_archived_wal as file from pg_stat_archiver";
      const [archived] = await query<{ file: string | null }>(stack, text);
      return (archived?.file ?? "") >= (log?.file ?? "~");
    },
    { timeoutMs: waitMsMax, intervalMs: 200 },
  );
}

async function ended(stack: Stack, tasks: SentTask[]): Promise<void> {
  await countUntil(stack, tasks, "completed_at is not null");
}

/** A vendor has accepted each, or has delivered it. */
async function submitted(stack: Stack, tasks: SentTask[]): Promise<void> {
  const isSubmitted = `exists (select from submissions s where s.task_id = tasks.id
    and s.outcome in ('accepted', 'delivered'))`;
  await countUntil(stack, tasks, isSubmitted);
}

async function countUntil(stack: Stack, tasks: SentTask[], condition: string): Promise<void> {
  const text = `select count(*)::int as count from tasks where id = any ($1::uuid[]) and ${condition}`;
  const ids = tasks.map(({ taskId }) => taskId);
  await waitUntil(
    `${tasks.length} tasks: ${condition}`,
    async () => (await query<{ count: number }>(stack, text, [ids]))[0]?.count === tasks.length,
    { timeoutMs: waitMsMax, intervalMs: 250 },
  );
}

export function query<Row extends object>(
  stack: Stack,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(stack.databaseOwnerUrl, async (db) => (await db.query<Row>(text, values)).rows);
}
