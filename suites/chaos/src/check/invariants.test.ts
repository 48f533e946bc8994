import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@zoetrope/dev/open-accounts.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLeaks } from "./find-leaks.ts";
import {
  endTask,
  inTransaction,
  openTask,
  type PlantedTask,
  plantAccount,
  plantJob,
  post,
  raiseHold,
} from "./planted-history.ts";
import { transferKinds } from "./rows.ts";
import { type Histories, openHistories, resign, type Spoil } from "./spoiled-history.ts";

/** Each invariant is broken once, on purpose: a checker that cannot fail proves nothing. */

let scratch: Scratch;
let histories: Histories;

beforeAll(async () => {
  scratch = await makeScratch("check");
  histories = await openHistories(scratch.path);
});

afterAll(async () => {
  await histories?.[Symbol.asyncDispose]();
  await scratch?.remove();
});

const violatedAfter = (spoil: Spoil) => histories.violatedAfter(spoil);

test("the checker knows every kind of transfer that the database accepts", async () => {
  const rules: string[] = [];
  await violatedAfter(async ({ db }) => {
    const { rows } = await db.query<{ rule: string }>(
      `select pg_get_constraintdef(oid) as rule from pg_constraint
       where conrelid = 'transfers'::regclass and conname = 'transfers_kind_check'`,
    );
    rules.push(...rows.map(({ rule }) => rule));
  });
  const kinds = [...rules.join().matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
  expect(kinds.sort()).toEqual([...transferKinds].sort());
});

test("a clean history violates nothing", async () => {
  expect(await violatedAfter(() => undefined)).toEqual([]);
});

/** Declares tests that each spoil a clean history and expect the invariants that it then violates. */
function testCases(group: string, cases: [name: string, violated: string[], spoil: Spoil][]): void {
  describe(group, () => {
    test.each(cases)("%s", async (_name, violated, spoil) => {
      expect(await violatedAfter(spoil)).toEqual(violated);
    });
  });
}

const run =
  (sql: string): Spoil =>
  ({ db }) =>
    db.query(sql);

testCases("money", [
  [
    "I1: an entry is missing",
    ["I1"],
    ({ db, video }) =>
      db.query("delete from entries where cause_id = $1 and book = 'revenue'", [video.id]),
  ],
  [
    "I1: a transfer moves another amount than it says",
    ["I1", "I7"],
    ({ db, refused }) =>
      db.query("update transfers set amount = 25 where cause_id = $1 and kind = 'release'", [
        refused.id,
      ]),
  ],
  [
    "I7: a hold was raised to another amount than the price",
    ["I7"],
    async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account, { kind: "upscale" });
      await raiseHold(db, task, 9);
      await endTask(db, logs, task, "COMPLETED");
    },
  ],
  [
    "I7: an upscale was charged the least although its source is longer",
    ["I7"],
    async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account, { kind: "upscale" });
      await endTask(db, logs, task, "COMPLETED");
    },
  ],
  [
    "I1: a correction moves another amount than it says",
    ["I1", "I18"],
    run("update transfers set amount = -49 where kind = 'adjust'"),
  ],
  [
    "I2: a cached balance is off by one",
    ["I2", "I18"],
    run("update accounts set credits = credits + 1"),
  ],
  [
    "I3: an account was overdrawn for a while",
    ["I3"],
    async ({ db, logs }) => {
      await db.query("alter table accounts drop constraint credits_cover_holds");
      const account = await plantAccount(db, 0);
      const task = await openTask(db, logs, account);
      await inTransaction(db, () => post(db, account, newId(), "grant", 24)); // too late
      await endTask(db, logs, task, "COMPLETED");
    },
  ],
  [
    "I7: a failed task was charged",
    ["I7"],
    async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account);
      await endTask(db, logs, task, "FAILED", "capture");
    },
  ],
  [
    "I7: a hold was captured and released",
    ["I3", "I7", "I17"], // the second one takes what is not held
    async ({ db, video, account }) => {
      await db.query("drop index transfers_one_settlement");
      await db.query("alter table accounts drop constraint credits_cover_holds");
      await inTransaction(db, () => post(db, account, video.id, "release", 24));
    },
  ],
  [
    "I7: the price is not that of the request",
    ["I7"],
    ({ logs }) => {
      for (const line of logs.clients) if (line.event === "requested") line.seconds = 5;
    },
  ],
]);

testCases("lots", [
  [
    "I18: a lot has a credit more than its account",
    ["I18"],
    run("update lots set credits_left = credits_left + 1 where credits = 200"),
  ],
  [
    "I18: a credit lies in another lot than the uses say",
    ["I18"],
    run("update lots set credits_left = credits_left + case credits when 200 then 1 else -1 end"),
  ],
  [
    "I18: a charge took nothing out of a lot",
    ["I18"],
    run("delete from lot_uses where kind = 'capture'"),
  ],
  [
    "I18: an expiry took less than it says",
    ["I18"],
    run("update lot_uses set credits = credits - 1 where kind = 'expiry'"),
  ],
  [
    "I18: a use gave a unit of money more",
    ["I18"],
    run("update lot_uses set net_minor = net_minor + 1 where kind = 'adjust'"),
  ],
  [
    "I18: a use was moved to another lot",
    ["I18"],
    run(
      "update lot_uses set lot_id = (select id from lots where credits = 30) where kind = 'adjust'",
    ),
  ],
  [
    "I18: a use of no transfer",
    ["I18"],
    run("update lot_uses set cause_id = gen_random_uuid() where kind = 'adjust'"),
  ],
  [
    "I18: a lot that no transfer made",
    ["I18"],
    run(`insert into lots (id, account_id, number, source, credits, credits_left, is_open, cause_id)
         select gen_random_uuid(), account_id, 2, 'goodwill', 5, 0, false, id from lots where credits = 30`),
  ],
  ["I18: a lot that is gone", ["I18"], run("delete from lots where credits = 30")],
]);

testCases("tasks", [
  [
    "I4: a finished task still has an open row",
    ["I4"],
    ({ db, video }) =>
      db.query(
        `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
         select id, account_id, 'ark', now(), now() from tasks where id = $1`,
        [video.id],
      ),
  ],
  [
    "I4: a hold outlives everything",
    ["I4"],
    ({ db, account }) => inTransaction(db, () => post(db, account, newId(), "hold", 5)),
  ],
  [
    "I4 and I6: a task never ends",
    ["I4", "I6"],
    ({ db, logs, account }) => openTask(db, logs, account),
  ],
  [
    "I5: four tasks were open at once",
    ["I5"],
    async ({ db, logs }) => {
      const account = await plantAccount(db, 96);
      const tasks: PlantedTask[] = [];
      for (let count = 0; count < 4; count += 1) tasks.push(await openTask(db, logs, account));
      for (const task of tasks) await endTask(db, logs, task, "COMPLETED");
    },
  ],
  [
    "I6: a task that a client was given is gone",
    ["I6", "I17"], // what it was is not known any more
    ({ db, refused }) => db.query("delete from tasks where id = $1", [refused.id]),
  ],
  [
    "I6: a task changed after its end",
    ["I6"],
    ({ logs, quiet }) => {
      for (const line of logs.clients)
        if (line.event === "ended" && line.taskId === quiet.id)
          line.task = { ...line.task, status: "FAILED" };
    },
  ],
  [
    "I10: a repeated key was answered with another task",
    ["I10"],
    ({ logs, account, video, quiet }) => {
      const line = { at: 0, accountId: account.id, key: video.key, status: 200, taskId: quiet.id };
      logs.clients.push({ event: "answered", ...line });
    },
  ],
  [
    "I10: two tasks came of one key",
    ["I10"],
    async ({ db, logs, account, video }) => {
      const task = await openTask(db, logs, account);
      await endTask(db, logs, task, "COMPLETED");
      await db.query("delete from idempotency_keys where key = $1", [task.key]);
      for (const line of logs.clients)
        if (line.event === "answered" && line.taskId === task.id) line.key = video.key;
    },
  ],
  [
    "I12: an account read another's task",
    ["I12"],
    ({ logs }) => {
      for (const line of logs.clients) if (line.event === "foreign") line.status = 200;
    },
  ],
  [
    "I15: a poll saw a step back",
    ["I15"],
    ({ logs, quiet, account }) => {
      const line = { at: 0, accountId: account.id, taskId: quiet.id, status: "PROCESSING" };
      logs.clients.push({ event: "seen", ...line });
    },
  ],
]);

testCases("callbacks", [
  [
    "I8: five attempts",
    ["I8"],
    run(
      "insert into attempts select delivery_id, n, now() from attempts, generate_series(3, 5) n where number = 1",
    ),
  ],
  [
    "I8: no attempt at all",
    ["I8"],
    async ({ db, logs }) => {
      logs.received.length = 0;
      await db.query("delete from attempts");
    },
  ],
  ["I8: no delivery at all", ["I8"], run("delete from deliveries")],
  [
    "I8: a request that no attempt stands for",
    ["I8"],
    run("delete from attempts where number = 2"),
  ],
  ["I8: a recorded answer that was never given", ["I8"], ({ logs }) => logs.received.pop()],
  [
    "I8: given up with attempts left",
    ["I8"],
    run("update deliveries set delivered_at = null, given_up_at = now()"),
  ],
  [
    "I8: two ids for one event",
    ["I8"],
    (history) => resign(history, 1, { webhookId: "msg_other" }),
  ],
  [
    "I8: another body than the query's answer",
    ["I8"],
    (history) => resign(history, 1, { body: '{"status":"FAILED"}' }),
  ],
  [
    "I8: a signature with another secret",
    ["I8"],
    run("update accounts set webhook_secret = 'whsec_b3RoZXI='"),
  ],
  [
    "I9: a callback before the commit",
    ["I9"],
    ({ logs }) => {
      for (const request of logs.received) request.at -= 5_000;
    },
  ],
]);

const outside = "vendor, storage, engine, secrets and processes";
testCases(outside, [
  [
    "I11: a second job for a task",
    ["I11"],
    ({ logs, video }) => plantJob(logs, video.id, "second"),
  ],
  [
    "I11: a job for a task that was never accepted",
    ["I11"],
    ({ logs }) => plantJob(logs, newId(), "stray"),
  ],
  [
    "I11: a task completed with the job of another",
    ["I11"],
    async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account, { hasJob: false });
      await endTask(db, logs, task, "COMPLETED");
    },
  ],
  [
    "I11: two tasks have each other's video",
    ["I11"],
    ({ logs, video }) => {
      for (const line of logs.clients)
        if (line.event === "requested" && line.key === video.key) line.prompt = "A toad";
    },
  ],
  ["up: a process ended by itself", ["up"], ({ logs }) => logs.crashes.push("worker")],
]);

describe(outside, () => {
  test("I13: an object is gone, or has other bytes", async () => {
    expect(await violatedAfter(({ logs }) => logs.objects.clear())).toEqual(["I13"]);
    const violated = await violatedAfter(({ logs }) => {
      for (const key of logs.objects.keys())
        logs.objects.set(key, { sha256: "ff", sizeBytes: 1, dataSha256: null });
    });
    expect(violated).toEqual(["I13"]);
  });

  test("I14: the engine works for what is over, or is paused", async () => {
    const invocation = { id: "inv_1", service: "generation", handler: "poll" };
    const isRunning: Spoil = ({ logs, video }) =>
      logs.invocations.push({ ...invocation, taskId: video.id, status: "backing-off" });
    const isPaused: Spoil = ({ logs }) =>
      logs.invocations.push({ ...invocation, taskId: newId(), status: "paused" });
    for (const spoil of [isRunning, isPaused]) expect(await violatedAfter(spoil)).toEqual(["I14"]);
  });

  test("I16: a secret in a log, also across two chunks of a long one", async () => {
    const dir = join(scratch.path, "logs");
    await mkdir(dir);
    await writeFile(join(dir, "log"), `${"x".repeat(1024 * 1024 - 4)}zoe_live_abc`);
    const leaks = await findLeaks([dir], [{ name: "an API key", mark: "zoe_live_" }]);
    expect(leaks).toEqual([{ secret: "an API key", file: join(dir, "log") }]);
    expect(await violatedAfter(({ logs }) => logs.leaks.push(...leaks))).toEqual(["I16"]);
  });
});
