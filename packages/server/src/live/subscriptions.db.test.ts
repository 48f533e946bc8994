import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { claimOf } from "../../test/harness/claim-of.ts";
import { endings } from "../../test/harness/endings.ts";
import { accountNamed } from "../../test/harness/named-ids.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import { type AccountId, newId, type TaskId } from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";
import { readStates } from "../upscale/read-states.ts";
import type { Subscription } from "./subscription.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

let bed: TestBed;
/** Another process: its changes are announced through the database or not at all. */
let another: OpenContext;
beforeAll(async () => {
  bed = await openTestBed();
  another = bed.openAnother();
});
afterAll(async () => {
  await checkMoney(bed.database);
  await bed[Symbol.asyncDispose]();
});

const hourMs = 3_600_000;
const body = { model: "sd2", inputs: { prompt: "a fox" } };

/** Subscriptions, and the ids of every query that they made. They do not poll by themselves by default. */
function openSubscriptions(limits: Parameters<typeof createSubscriptions>[2] = {}) {
  const queries: TaskId[][] = [];
  const read = (taskIds: TaskId[]) => {
    queries.push(taskIds);
    return readStates(bed.ctx, taskIds);
  };
  const subscriptions = createSubscriptions(bed.ctx, read, { pollAgainMs: hourMs, ...limits });
  subscriptions.open();
  onTestFinished(() => subscriptions.close());
  return { subscriptions, queries };
}

async function newTask() {
  const account = await bed.openAccount();
  const { taskId } = await createTask(bed.ctx, account, body, null);
  return { taskId, accountId: account.id };
}

function enter(
  subscriptions: Subscriptions,
  { accountId, taskId }: { accountId: AccountId; taskId: TaskId },
) {
  const subscription = subscriptions.subscribe({ id: accountId, keyId: newId(0) }, taskId);
  if (subscription.kind === "full") throw new Error(`the ${subscription.limit} is full`);
  return subscription;
}

/** Knows the state it is in and waits for the next one, which is the result's result. */
async function follow(subscription: Subscription) {
  const first = await subscription.read();
  const next = subscription.change(first?.version ?? "", 300_000);
  return { status: next.then((state) => state?.view["status"]) };
}

/** Changes a task without an announcement. */
function changeUnannounced(taskId: TaskId): Promise<unknown> {
  return bed.database.sql("update tasks set status = 'PROCESSING' where id = $1", [taskId]);
}

const listenersSql =
  "from pg_stat_activity where application_name = 'zoetrope api, listening' and datname = current_database()";

async function isListening(): Promise<void> {
  await waitUntil(
    "the subscriptions listen",
    async () =>
      (await bed.database.sql(`select ${listenersSql} and query like 'listen%'`)).length > 0,
    { timeoutMs: 300_000 },
  );
}

test("an end that another process commits reaches the clients that wait here", async () => {
  const { subscriptions } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const { status } = await follow(enter(subscriptions, task));
  await finishTask(another, task.taskId, endings.COMPLETED);
  expect(await status).toBe("COMPLETED");
});

test("a change between the first read and the wait for the next one is not lost", async () => {
  const { subscriptions, queries } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const subscription = enter(subscriptions, task);
  const first = await subscription.read();
  await finishTask(another, task.taskId, endings.FAILED);
  await waitUntil("it is read again", () => queries.length > 1, { timeoutMs: 300_000 });
  const next = await subscription.change(first?.version ?? "", 300_000);
  expect(next?.view["status"]).toBe("FAILED");
});

// The guard are the rounds: without them this waits an hour.
test("a change that nobody announced is found by reading again", async () => {
  const { subscriptions } = openSubscriptions({ pollAgainMs: 400 });
  await isListening();
  const task = await newTask();
  const { status } = await follow(enter(subscriptions, task));
  await changeUnannounced(task.taskId);
  expect(await status).toBe("PROCESSING");
});

test("every waiting task is read again once a period, in few queries", async () => {
  const { subscriptions, queries } = openSubscriptions({ pollAgainMs: 4_000 }); // longer than a query on a busy machine
  const { accountId } = await newTask();
  const taskIds = Array.from({ length: 120 }, () => newId<TaskId>(0));
  for (const taskId of taskIds) enter(subscriptions, { accountId, taskId });
  await waitUntil("all have been read", () => queries.flat().length >= 240, {
    timeoutMs: 300_000,
  });
  expect(new Set(queries.flat())).toEqual(new Set(taskIds));
  const reads = taskIds.map((id) => queries.flat().filter((seen) => seen === id).length);
  expect(Math.max(...reads) - Math.min(...reads)).toBeLessThanOrEqual(1);
});

test("a broken connection is replaced: what happened meanwhile is seen, and what happens next", async () => {
  const { subscriptions } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const subscription = enter(subscriptions, task);
  const first = await subscription.read();
  const next = subscription.change(first?.version ?? "", 300_000);
  await changeUnannounced(task.taskId);
  const killed = await bed.database.sql(`select pg_terminate_backend(pid) ${listenersSql}`);
  expect(killed.length).toBeGreaterThan(0);
  const second = await next;
  expect(second?.view["status"]).toBe("PROCESSING");
  await finishTask(another, task.taskId, endings.COMPLETED);
  const last = await subscription.change(second?.version ?? "", 300_000);
  expect(last?.view["status"]).toBe("COMPLETED");
});

test("a client that comes back with the version it has costs no query, and is told of the next change", async () => {
  const { subscriptions, queries } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const read = async () => {
    const before = enter(subscriptions, task);
    const state = await before.read();
    before.close();
    return state;
  };
  let first = await read();
  let again = enter(subscriptions, task);
  // The announcement of the create may come after the first read.
  for (let reads = 1; reads < 10 && again.known() === undefined; reads++) {
    again.close();
    first = await read();
    again = enter(subscriptions, task);
  }
  const asked = queries.length;
  expect(again.known()).toMatchObject({
    version: first?.version,
    task: { account_id: task.accountId, kind: "generation" },
  });
  const next = again.change(first?.version ?? "", 600_000);
  expect(queries).toHaveLength(asked);
  await finishTask(another, task.taskId, endings.COMPLETED);
  expect((await next)?.view["status"]).toBe("COMPLETED");
  expect(again.known()).toBeUndefined();
});

test("a change while nobody follows a task makes its version unknown, and so does a new connection", async () => {
  const { subscriptions } = openSubscriptions();
  await isListening();
  const [changed, other] = [await newTask(), await newTask()];
  for (const task of [changed, other]) {
    const subscription = enter(subscriptions, task);
    await subscription.read();
    subscription.close();
  }
  const known = (task: typeof changed) => {
    const subscription = enter(subscriptions, task);
    const isKnown = subscription.known() !== undefined;
    subscription.close();
    return isKnown;
  };
  const unknown = (task: typeof changed) =>
    waitUntil("it is unknown", () => !known(task), { timeoutMs: 60_000 });
  await finishTask(another, changed.taskId, endings.COMPLETED);
  await unknown(changed);
  expect(known(other)).toBe(true);
  await bed.database.sql(`select pg_terminate_backend(pid) ${listenersSql}`);
  await unknown(other);
});

test("a state that was read before the task changed again is not taken for the current one", async () => {
  const reads: { ids: TaskId[]; go(): void }[] = [];
  const read = async (ids: TaskId[]) => {
    const states = await readStates(bed.ctx, ids);
    await new Promise<void>((go) => reads.push({ ids, go }));
    return states;
  };
  const subscriptions = createSubscriptions(bed.ctx, read, { pollAgainMs: hourMs });
  subscriptions.open();
  onTestFinished(() => subscriptions.close());
  await isListening();
  const task = await newTask();
  const before = enter(subscriptions, task);
  const first = before.read();
  await waitUntil("it was read", () => reads.length > 0, { timeoutMs: 60_000 });
  before.close();
  const again = enter(subscriptions, task);
  const second = again.read();
  for (let at = 0; at < 2; at++) {
    await waitUntil("it is being read", () => reads.length > at, { timeoutMs: 60_000 });
    expect(again.known()).toBeUndefined();
    reads[at]?.go();
  }
  expect(await first).toBeUndefined();
  const { version } = (await second) ?? { version: "" };
  expect(again.known()?.version).toBe(version);
});

test("two who wait for one task cost one query", async () => {
  const { subscriptions, queries } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const both = await Promise.all([
    follow(enter(subscriptions, task)),
    follow(enter(subscriptions, task)),
  ]);
  await finishTask(another, task.taskId, endings.FAILED);
  const statuses = await Promise.all(both.map(({ status }) => status));
  expect(statuses).toEqual(["FAILED", "FAILED"]);
  expect(queries).toEqual([[task.taskId], [task.taskId]]);
});

test("many tasks that change at once are read in one query, and tasks that nobody follows in none", async () => {
  const { subscriptions, queries } = openSubscriptions({ batchEveryMs: 500 });
  await isListening();
  const account = await bed.openAccount({ openTasksMax: 20 });
  const tasks = await Promise.all(
    Array.from({ length: 20 }, async () => createTask(bed.ctx, account, body, null)),
  );
  const followed = tasks.slice(0, 10).map(({ taskId }) => taskId);
  const following = await Promise.all(
    followed.map((taskId) => follow(enter(subscriptions, { taskId, accountId: account.id }))),
  );
  for (const { taskId } of tasks) await finishTask(another, taskId, endings.FAILED);
  const statuses = await Promise.all(following.map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set(["FAILED"]));
  expect(queries.flat().every((id) => followed.includes(id))).toBe(true);
  expect(queries.length).toBeLessThanOrEqual(4);
});

test("a waiting client is woken by a change of what it sees and not by an announcement alone", async () => {
  const { subscriptions, queries } = openSubscriptions();
  await isListening();
  const task = await newTask();
  const subscription = enter(subscriptions, task);
  const first = await subscription.read();
  let woken = 0;
  const next = subscription.change(first?.version ?? "", 300_000).finally(() => {
    woken++;
  });
  await claimSubmit(another.pool, claimOf(task.taskId)); // its owner sees nothing of this
  another.changes.announce(task.taskId, task.accountId);
  await waitUntil("it is read", () => queries.length > 1, { timeoutMs: 300_000 });
  await enter(subscriptions, task).read(); // later than that read
  expect(woken).toBe(0);
  await bindJob(another.pool, { taskId: task.taskId, jobId: task.taskId, pollMs: 1_000 });
  another.changes.announce(task.taskId, task.accountId);
  expect((await next)?.view["status"]).toBe("PROCESSING");
});

test("while tasks cannot be read, new queries get an error and waiting clients keep waiting", async () => {
  const { subscriptions } = openSubscriptions({ batchPauseMs: 50 });
  await isListening();
  const task = await newTask();
  const waiting = enter(subscriptions, task);
  const first = await waiting.read();
  const next = waiting.change(first?.version ?? "", 300_000);
  await bed.database.sql("alter table tasks rename to tasks_away");
  await expect(enter(subscriptions, task).read()).rejects.toThrow(/tasks/);
  const status = `status = 'PROCESSING' where id = '${task.taskId}'`; // changed before it can be read again
  await bed.database.sql(`update tasks_away set ${status}; alter table tasks_away rename to tasks`);
  expect((await next)?.view["status"]).toBe("PROCESSING");
});

test("so many of an account and so many in all may wait, and leaving makes room", async () => {
  const { subscriptions } = openSubscriptions({ clientsMax: 3, clientsPerAccountMax: 2 });
  const taskId = newId<TaskId>(0);
  const [one, two] = [accountNamed("one"), accountNamed("two")];
  const first = enter(subscriptions, { accountId: one, taskId });
  enter(subscriptions, { accountId: one, taskId });
  expect(subscriptions.subscribe({ id: one, keyId: newId(0) }, taskId)).toEqual({
    kind: "full",
    limit: "account",
  });
  const third = enter(subscriptions, { accountId: two, taskId });
  expect(subscriptions.subscribe({ id: two, keyId: newId(0) }, taskId)).toEqual({
    kind: "full",
    limit: "process",
  });
  first.close();
  first.close(); // twice is once
  third.close();
  expect(subscriptions.count()).toBe(1);
  enter(subscriptions, { accountId: one, taskId });
  expect(subscriptions.subscribe({ id: one, keyId: newId(0) }, taskId)).toEqual({
    kind: "full",
    limit: "account",
  });
});

test("a drained room answers everybody at once and can still be asked", async () => {
  const { subscriptions } = openSubscriptions();
  const task = await newTask();
  const subscription = enter(subscriptions, task);
  const first = await subscription.read();
  const next = subscription.change(first?.version ?? "", hourMs);
  subscriptions.drain();
  expect(await next).toBeNull();
  expect(subscription.hasEnded()).toBe(true);
  expect((await subscription.read())?.version).toBe(first?.version);
  const late = enter(subscriptions, task);
  expect(await late.change(first?.version ?? "", hourMs)).toBeNull();
});

test("a task that does not exist is read as none, and a closed watch as well", async () => {
  const { subscriptions } = openSubscriptions();
  const subscription = enter(subscriptions, { accountId: newId(0), taskId: newId(0) });
  expect(await subscription.read()).toBeUndefined();
  const asked = subscription.read();
  subscription.close();
  expect(await asked).toBeUndefined();
  expect(await subscription.read()).toBeUndefined();
  expect(subscriptions.count()).toBe(0);
});
