import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { makeScratch, type Scratch } from "@zoetrope/dev/services/scratch.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openPool } from "../src/db/database.ts";
import { createTask } from "../src/generation/create-task.ts";
import { finishTask } from "../src/tasks/finish-task.ts";
import { expireTasks, wakeUnbegun } from "../src/tasks/sweep.ts";
import { type AccountState, readState, states } from "./harness/account-state.ts";
import { checkMoney } from "./harness/check-money.ts";
import { type CrashPoint, installCrashPoints } from "./harness/crash-points.ts";
import { type ApiProcess, startApi, startFinish, watchful } from "./harness/crash-processes.ts";
import { endings } from "./harness/endings.ts";
import { type Line, layLine } from "./harness/lay-line.ts";
import { type Receiver, startReceiver } from "./harness/receiver.ts";
import { openTestBed, type TestBed } from "./harness/test-context.ts";

// Three ways to break a transaction after each of its writes and at its commit: an exception; a dead
// process whose death the database notices, so that it rolls back; a dead process that the database
// goes on working for, so that it commits while the repetition is already there. What comes after
// the commit is lost by a line that swallows the database's answer.

let scratch: Scratch;
let engine: Receiver; // stands where the engine's ingress would, for the sweep of a survivor
let bed: TestBed; // a survivor: what was broken is taken up from here
let crash: Awaited<ReturnType<typeof installCrashPoints>>;
let line: Line; // between the database and whoever is to lose its answer
let survivor: ApiProcess;

beforeAll(async () => {
  scratch = await makeScratch("crash");
  engine = await startReceiver(() => 202);
  bed = await openTestBed({ RESTATE_INGRESS_URL: engine.url });
  crash = await installCrashPoints(bed.database);
  line = await layLine(bed.database.serviceUrl);
  survivor = await startApi(around(line.through(bed.database.serviceUrl)));
});
afterEach(async () => {
  await crash.clear();
  await bed.database.sql("update open_tasks set deadline_at = now() + interval '1 day'");
});
afterAll(async () => {
  await survivor[Symbol.asyncDispose]();
  await line[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await scratch.remove();
});

const around = (databaseUrl: string) => ({ dir: scratch.path, databaseUrl });
type Status = keyof typeof endings;
type Account = Awaited<ReturnType<TestBed["openAccount"]>>;
const openAccount = () => bed.openAccount({ credits: 100, limits: { creditsMax: 100 } });
const body = { model: "sd2", inputs: { prompt: "a fox" }, callBackUrl: "http://127.0.0.1:9/hook" };

/** Also that the ledger is whole. */
async function expectState(account: Account, state: AccountState): Promise<void> {
  expect(await readState(bed.database, account.id)).toEqual(state);
  await checkMoney(bed.database);
}

describe("createTask", () => {
  const points: [string, CrashPoint][] = [
    ["after the account's row", "update on accounts"],
    ["after the hold's transfer", "insert on transfers"],
    ["after the hold's entries", "insert on entries"],
    ["after the key's budget", "update on api_keys"],
    ["after the task", "insert on tasks"],
    ["after the open task", "insert on open_tasks"],
    ["after the answer of the Idempotency-Key", "insert on idempotency_keys"],
    ["at the commit", "commit"],
  ];
  const answerShape = z.object({ taskId: z.string().optional(), code: z.string().optional() });

  /** Sends the one request that all tests here repeat. */
  async function create(apiUrl: string, account: Account, signal?: AbortSignal) {
    const response = await fetch(`${apiUrl}/api/v1/jobs/createTask`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        "idempotency-key": "once",
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
    const { taskId, code } = answerShape.parse(await response.json());
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { status: response.status, replayed, taskId, code };
  }
  /** Sends it again as long as it is told to: on a busy machine a request can wait for a lock in vain. */
  async function createPatiently(apiUrl: string, account: Account) {
    for (;;) {
      const answer = await create(apiUrl, account);
      if (answer.status !== 409 && answer.status !== 503) return answer;
    }
  }
  const fresh = { status: 200, replayed: false };
  const replayed = { status: 200, replayed: true };
  const broken = { status: 500, code: "internal_error" };

  /** One task and one hold, which the sweep brings to the engine and which can end. */
  async function expectOneTask(account: Account, taskId: string | undefined): Promise<void> {
    await expectState(account, states.accepted);
    if (taskId === undefined) throw new Error("the answer names no task");
    await bed.database.sql("update open_tasks set next_step_at = now() where task_id = $1", [
      taskId,
    ]);
    await wakeUnbegun(bed.ctx);
    await waitUntil(
      "the engine knows the task",
      () => engine.received.some(({ url }) => url === `/generation/${taskId}/begin/send`),
      { timeoutMs: 60_000 },
    );
    expect(await finishTask(bed.ctx, taskId, endings.FAILED)).toBe(true);
    await expectState(account, states.FAILED);
  }

  test.each(points)(
    "an exception %s is a 500 that leaves nothing; repeated, it is one task and one hold",
    async (_name, point) => {
      const account = await openAccount();
      await crash.raise(account.id, point);
      expect(await create(survivor.url, account)).toMatchObject(broken);
      await expectState(account, states.untouched);
      await crash.clear();
      const again = await create(survivor.url, account);
      expect(again).toMatchObject(fresh);
      await expectOneTask(account, again.taskId);
    },
  );

  test.each(points)(
    "kill -9 %s leaves nothing once the database notices; repeated, it is one task and one hold",
    async (_name, point) => {
      const account = await openAccount();
      await using doomed = await startApi(around(watchful(bed.database.serviceUrl)));
      await crash.stall(account.id, point);
      const lost = Promise.allSettled([create(doomed.url, account)]);
      const pid = await crash.stalled();
      await doomed.kill();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await crash.gone(pid);
      await expectState(account, states.untouched);
      await crash.open();
      const again = await create(survivor.url, account);
      expect(again).toMatchObject(fresh);
      await expectOneTask(account, again.taskId);
    },
  );

  test.each(points)(
    "kill -9 %s while the database goes on: a repetition that waits for it gets its task, the only one",
    async (_name, point) => {
      const account = await openAccount();
      await using doomed = await startApi(around(bed.database.serviceUrl));
      await crash.stall(account.id, point);
      const lost = Promise.allSettled([create(doomed.url, account)]);
      const pid = await crash.stalled();
      await doomed.kill();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await expectState(account, states.untouched);
      const again = createPatiently(survivor.url, account);
      await crash.someoneWaitsFor(pid);
      await crash.open();
      await crash.gone(pid);
      const answer = await again;
      expect(answer).toMatchObject(replayed);
      await expectOneTask(account, answer.taskId);
    },
  );

  const committed = (account: Account) =>
    crash.until("the task is committed", "select from tasks where account_id = $1", [account.id]);

  test("a commit whose answer is lost on the way to the api is a 503; repeated, it is the task that was made", async () => {
    const account = await openAccount();
    await crash.stall(account.id, "commit");
    const answer = create(survivor.url, account);
    await crash.stalled();
    line.withhold();
    await crash.open();
    await committed(account);
    line.cut();
    expect(await answer).toMatchObject({ status: 503, code: "service_unavailable" });
    const again = await create(survivor.url, account);
    expect(again).toMatchObject(replayed);
    await expectOneTask(account, again.taskId);
  });

  test("kill -9 between commit and answer: repeated, it is the task that was made", async () => {
    const account = await openAccount();
    await using ownLine = await layLine(bed.database.serviceUrl);
    await using doomed = await startApi(around(ownLine.through(bed.database.serviceUrl)));
    await crash.stall(account.id, "commit");
    const lost = Promise.allSettled([create(doomed.url, account)]);
    await crash.stalled();
    ownLine.withhold();
    await crash.open();
    await committed(account);
    await doomed.kill();
    expect(await lost).toMatchObject([{ status: "rejected" }]);
    const again = await create(survivor.url, account);
    expect(again).toMatchObject(replayed);
    await expectOneTask(account, again.taskId);
  });

  test("a caller that hangs up before the answer finds, repeating, the task that was made", async () => {
    const account = await openAccount();
    await crash.stall(account.id, "commit");
    const hangUp = new AbortController();
    const lost = Promise.allSettled([create(survivor.url, account, hangUp.signal)]);
    await crash.stalled();
    hangUp.abort();
    expect(await lost).toMatchObject([{ status: "rejected" }]);
    await crash.open();
    await committed(account);
    const again = await create(survivor.url, account);
    expect(again).toMatchObject(replayed);
    await expectOneTask(account, again.taskId);
  });

  test("while the engine cannot be reached a task is accepted, and the sweep tells the engine later", async () => {
    const account = await openAccount();
    const answer = await create(survivor.url, account);
    expect(answer).toMatchObject(fresh);
    await expectOneTask(account, answer.taskId);
  });

  test("kill -9 while the engine is being told: repeated, it is the task that was made, and the sweep tells the engine", async () => {
    const account = await openAccount();
    const port = await freePort();
    // Takes the call and never answers.
    const silent = createServer((call) => call.on("error", () => {})).listen(port, "127.0.0.1");
    const engineUrl = `http://127.0.0.1:${port}`;
    await using doomed = await startApi({ ...around(bed.database.serviceUrl), engineUrl });
    const lost = Promise.allSettled([create(doomed.url, account)]);
    const [call]: Socket[] = await once(silent, "connection");
    await doomed.kill();
    await lost; // with or without its answer
    call?.destroy();
    silent.close();
    const again = await create(survivor.url, account);
    expect(again).toMatchObject(replayed);
    await expectOneTask(account, again.taskId);
  });
});

describe("finishTask", () => {
  const writes: [string, CrashPoint][] = [
    ["after the open task's removal", "delete on open_tasks"],
    ["after the task's last status", "update on tasks"],
    ["after the account's row", "update on accounts"],
    ["after the settlement's transfer", "insert on transfers"],
    ["after the settlement's entries", "insert on entries"],
    ["after the delivery", "insert on deliveries"],
    ["after the open delivery", "insert on open_deliveries"],
    ["at the commit", "commit"],
  ];
  const statuses = ["COMPLETED", "FAILED"] as const;
  const points = [
    ...statuses.flatMap((status) => writes.map(([when, point]) => ({ when, point, status }))),
    { when: "after the key's budget", point: "update on api_keys", status: "FAILED" },
  ] as const;

  async function acceptOne(status: Status): Promise<{ account: Account; taskId: string }> {
    const account = await openAccount();
    const { taskId } = await createTask(bed.ctx, account, body, "once");
    if (status === "FAILED")
      await bed.database.sql("update open_tasks set deadline_at = now() where task_id = $1", [
        taskId,
      ]);
    return { account, taskId };
  }

  /** As it is repeated in life: a failure by the sweep, a result by the engine. Says how many ended. */
  async function repeat(taskId: string, status: Status): Promise<number> {
    if (status === "FAILED") return expireTasks(bed.ctx);
    return Number(await finishTask(bed.ctx, taskId, endings[status]));
  }

  /** Repeats until what stands in the way is over: a wait for a lock is bounded. */
  async function repeatUntil(isOver: () => boolean, taskId: string, status: Status) {
    for (let ended = 0, wasOver = false; ; wasOver = isOver()) {
      const done = repeat(taskId, status);
      ended += wasOver ? await done : await done.catch(() => 0);
      if (wasOver) return ended;
    }
  }

  async function expectEnded(account: Account, taskId: string, status: Status): Promise<void> {
    await expectState(account, states[status]);
    expect(await finishTask(bed.ctx, taskId, endings[status])).toBe(false);
    await expectState(account, states[status]);
  }

  test.each(points)(
    "an exception $when of $status leaves the task open; repeated, it ends once",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.raise(account.id, point);
      const finish = finishTask(bed.ctx, taskId, endings[status]);
      await expect(finish).rejects.toThrow(`crash point: ${point}`);
      await expectState(account, states.accepted);
      await crash.clear();
      expect(await repeat(taskId, status)).toBe(1);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(points)(
    "kill -9 $when of $status leaves the task open once the database notices; repeated, it ends once",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.stall(account.id, point);
      const at = around(watchful(bed.database.serviceUrl));
      await using doomed = await startFinish(at, taskId, status);
      const pid = await crash.stalled();
      await doomed.kill();
      await crash.gone(pid);
      await expectState(account, states.accepted);
      await crash.open();
      expect(await repeat(taskId, status)).toBe(1);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(points)(
    "kill -9 $when of $status while the database goes on: the task ends once, and a repetition that waits for it does nothing",
    async ({ point, status }) => {
      const { account, taskId } = await acceptOne(status);
      await crash.stall(account.id, point);
      await using doomed = await startFinish(around(bed.database.serviceUrl), taskId, status);
      const pid = await crash.stalled();
      await doomed.kill();
      await expectState(account, states.accepted);
      let isGone = false;
      const again = repeatUntil(() => isGone, taskId, status);
      await crash.someoneWaitsFor(pid);
      await crash.open();
      await crash.gone(pid);
      isGone = true;
      expect(await again).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );

  const committed = (taskId: string) =>
    crash.until(
      "the end is committed",
      "select from tasks where id = $1 and completed_at is not null",
      [taskId],
    );

  test.each(statuses)(
    "a commit of %s whose answer is lost is an exception, and a repetition does nothing",
    async (status) => {
      const { account, taskId } = await acceptOne(status);
      await using ownLine = await layLine(bed.database.serviceUrl);
      const pool = openPool(ownLine.through(bed.database.serviceUrl), 1, "behind a line");
      await crash.stall(account.id, "commit");
      const lost = Promise.allSettled([finishTask({ ...bed.ctx, pool }, taskId, endings[status])]);
      await crash.stalled();
      ownLine.withhold();
      await crash.open();
      await committed(taskId);
      ownLine.cut();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await pool.end();
      expect(await repeat(taskId, status)).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );

  test.each(statuses)(
    "kill -9 after the commit of %s changes nothing, and a repetition does nothing",
    async (status) => {
      const { account, taskId } = await acceptOne(status);
      await using ownLine = await layLine(bed.database.serviceUrl);
      await crash.stall(account.id, "commit");
      const at = around(ownLine.through(bed.database.serviceUrl));
      await using doomed = await startFinish(at, taskId, status);
      await crash.stalled();
      ownLine.withhold();
      await crash.open();
      await committed(taskId);
      await doomed.kill();
      expect(await repeat(taskId, status)).toBe(0);
      await expectEnded(account, taskId, status);
    },
  );
});
