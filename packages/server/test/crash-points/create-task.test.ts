import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { freePort } from "@zoetrope/dev/services/ports.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Receiver, startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { TaskId } from "../../src/ids.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { wakeUnsubmitted } from "../../src/tasks/sweep.ts";
import { states } from "../harness/account-state.ts";
import { endings } from "../harness/endings.ts";
import { readTaskId } from "../harness/named-ids.ts";
import { scaled } from "../harness/scale.ts";
import { openTestBed, type TestBed } from "../harness/test-context.ts";
import { wokenTasks } from "../harness/woken-tasks.ts";
import { type Account, around, body, expectState, openAccount } from "./crash-bed.ts";
import {
  type ApiProcess,
  startApi,
  withConnectionCheck,
  withoutTimeLimits,
} from "./crash-processes.ts";
import { type CrashPoint, installCrashPoints } from "./install-crash-points.ts";
import { type Line, layLine } from "./lay-line.ts";

const cleanUp = new AsyncDisposableStack();
let engine: Receiver; // stands where the engine's ingress would, for the sweep of a survivor
let bed: TestBed; // a survivor: what was broken is taken up from here
let crash: Awaited<ReturnType<typeof installCrashPoints>>;
let line: Line; // between the database and whoever is to lose its answer
let survivor: ApiProcess;
beforeAll(async () => {
  engine = cleanUp.use(await startReceiver(() => 202));
  bed = cleanUp.use(await openTestBed({ RESTATE_INGRESS_URL: engine.url }));
  crash = await installCrashPoints(bed.database);
  line = cleanUp.use(await layLine(bed.database.serviceUrl));
  survivor = cleanUp.use(await startApi(around(bed, line.through(bed.database.serviceUrl))));
});
afterEach(() => crash.clear());
afterAll(() => cleanUp.disposeAsync());

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
  /** For the api, the points before the commit are within one statement: two stand for all unless all are run. */
  const twoPoints = points.filter(([, point]) => point === "insert on tasks" || point === "commit");
  const whereKilled = scaled(twoPoints, points);
  const answerShape = z.object({
    taskId: z.string().transform(readTaskId).optional(),
    code: z.string().optional(),
  });

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
  /**
   * Sends it again while the response asks for a retry: on a busy machine a request can wait for a lock in
   * vain.
   */
  async function createWithRetries(apiUrl: string, account: Account) {
    for (;;) {
      const answer = await create(apiUrl, account);
      if (answer.status !== 409 && answer.status !== 503) return answer;
    }
  }
  const fresh = { status: 200, replayed: false };
  const replayed = { status: 200, replayed: true };
  const broken = { status: 500, code: "internal_error" };

  /** One task and one hold, which the sweep brings to the engine and which can end. */
  async function expectOneTask(account: Account, taskId: TaskId | undefined): Promise<void> {
    await expectState(bed, account, states.accepted);
    if (taskId === undefined) throw new Error("the answer names no task");
    await bed.database.sql("update open_tasks set next_step_at = now() where task_id = $1", [
      taskId,
    ]);
    await wakeUnsubmitted(bed.ctx);
    await waitUntil(
      "the engine knows the task",
      () => wokenTasks(engine, "submit").includes(taskId),
      { timeoutMs: 300_000 },
    );
    expect(await finishTask(bed.ctx, taskId, endings.FAILED)).toBe(true);
    await expectState(bed, account, states.FAILED);
  }

  test.each(points)(
    "an exception %s is a 500 that leaves nothing; repeated, it is one task and one hold",
    async (_name, point) => {
      const account = await openAccount(bed);
      await crash.raise(account.id, point);
      expect(await create(survivor.url, account)).toMatchObject(broken);
      await expectState(bed, account, states.untouched);
      await crash.clear();
      const again = await create(survivor.url, account);
      expect(again).toMatchObject(fresh);
      await expectOneTask(account, again.taskId);
    },
  );

  test.each(whereKilled)(
    "kill -9 %s leaves nothing once the database notices; repeated, it is one task and one hold",
    async (_name, point) => {
      const account = await openAccount(bed);
      await using doomed = await startApi(
        around(bed, withConnectionCheck(bed.database.serviceUrl)),
      );
      await crash.stall(account.id, point);
      const lost = Promise.allSettled([create(doomed.url, account)]);
      const pid = await crash.stalled();
      await doomed.kill();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await crash.gone(pid);
      await expectState(bed, account, states.untouched);
      await crash.open();
      const again = await create(survivor.url, account);
      expect(again).toMatchObject(fresh);
      await expectOneTask(account, again.taskId);
    },
  );

  test.each(whereKilled)(
    "kill -9 %s while the database goes on: a repetition that waits for it gets its task, the only one",
    async (_name, point) => {
      const account = await openAccount(bed);
      await using doomed = await startApi(around(bed, withoutTimeLimits(bed.database.serviceUrl)));
      await crash.stall(account.id, point);
      const lost = Promise.allSettled([create(doomed.url, account)]);
      const pid = await crash.stalled();
      await doomed.kill();
      expect(await lost).toMatchObject([{ status: "rejected" }]);
      await expectState(bed, account, states.untouched);
      const again = createWithRetries(survivor.url, account);
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
    const account = await openAccount(bed);
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
    const account = await openAccount(bed);
    await using ownLine = await layLine(bed.database.serviceUrl);
    await using doomed = await startApi(around(bed, ownLine.through(bed.database.serviceUrl)));
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
    const account = await openAccount(bed);
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

  test("while the engine cannot be reached a task is accepted, and the sweep wakes the engine later", async () => {
    const account = await openAccount(bed);
    const answer = await create(survivor.url, account);
    expect(answer).toMatchObject(fresh);
    await expectOneTask(account, answer.taskId);
  });

  test("kill -9 during the wake-up: a repeated request gets the same task, and the sweep wakes the engine", async () => {
    const account = await openAccount(bed);
    const port = await freePort();
    // Takes the call and never responds.
    const silent = createServer((call) => call.on("error", () => {})).listen(port, "127.0.0.1");
    const engineUrl = `http://127.0.0.1:${port}`;
    await using doomed = await startApi({ ...around(bed), engineUrl });
    const lost = Promise.allSettled([create(doomed.url, account)]);
    const [call]: Socket[] = await once(silent, "connection");
    await doomed.kill();
    await lost; // with or without its response
    call?.destroy();
    silent.close();
    const again = await create(survivor.url, account);
    expect(again).toMatchObject(replayed);
    await expectOneTask(account, again.taskId);
  });
});
