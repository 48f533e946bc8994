import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@zoetrope/testkit/open-accounts.ts";
import { type Postgres, startPostgres } from "@zoetrope/testkit/services/postgres.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { prepareDatabase } from "@zoetrope/testkit/stack.ts";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLeaks } from "./find-leaks.ts";
import { judge } from "./invariants.ts";
import {
  emptyLogs,
  endTask,
  inTransaction,
  type Logs,
  openTask,
  type PlantedAccount,
  type PlantedTask,
  plantAccount,
  plantJob,
  post,
  requestOf,
} from "./planted-history.ts";
import { readRows } from "./rows.ts";

/** Nobody trusts an alarm that was never heard: each invariant is broken once, on purpose. */

let scratch: Scratch;
let postgres: Postgres;
let clean: Story;

interface Story {
  logs: Logs;
  account: PlantedAccount;
  /** Completed, with a callback that took two attempts. */
  video: PlantedTask;
  /** Failed, refused by the vendor: it has no job. */
  refused: PlantedTask;
  /** Completed, without a callback. */
  quiet: PlantedTask;
}

beforeAll(async () => {
  scratch = await makeScratch("check");
  postgres = await startPostgres({
    dir: join(scratch.path, "postgres"),
    settings: { fsync: "off", track_commit_timestamp: "on" },
  });
  const { owner } = await prepareDatabase(postgres, "clean");
  const db = await connect(owner);
  clean = await plantCleanScenario(db);
  await db.end();
});

afterAll(async () => {
  await postgres?.stop();
  await scratch?.remove();
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function plantCleanScenario(db: Client): Promise<Story> {
  const logs = emptyLogs();
  const account = await plantAccount(db, 100);
  const video = await openTask(db, logs, account, { hasCallback: true });
  const refused = await openTask(db, logs, account, { hasJob: false });
  await endTask(db, logs, refused, "FAILED");
  const quiet = await openTask(db, logs, account);
  await endTask(db, logs, video, "COMPLETED");
  await endTask(db, logs, quiet, "COMPLETED");
  const other = await plantAccount(db, 0);
  const [accountId, taskId] = [other.id, video.id];
  logs.clients.push({ event: "foreign", accountId, taskId, status: 403, body: { message: "no" } });
  return { logs, account, video, refused, quiet };
}

let clones = 0;

/** The ids of the invariants that are violated after `spoil` had its way with a clean story. */
async function violatedAfter(
  spoil: (story: Story & { db: Client }) => Promise<unknown> | unknown,
): Promise<string[]> {
  const name = `clone_${++clones}`;
  const admin = await connect(postgres.url);
  await admin.query(`create database ${name} template clean`);
  await admin.end();
  const url = `postgres://postgres@127.0.0.1:${postgres.port}/${name}`;
  const db = await connect(url);
  const logs = structuredClone(clean.logs);
  await db.query("set session_replication_role = replica"); // the ledger's triggers sleep
  await spoil({ ...clean, logs, db });
  await db.end();
  const evidence = { ...logs, rows: await readRows(url) };
  return judge(evidence).flatMap(({ id, violations }) => (violations.length > 0 ? id : []));
}

/** What a request says after it was changed and signed again. */
function resign(story: Story, index: number, change: { body?: string; webhookId?: string }) {
  const before = story.logs.received[index];
  if (before === undefined) throw new Error("no such request");
  const { body = before.body, webhookId = before.webhookId ?? "" } = change;
  story.logs.received[index] = requestOf(story.video, webhookId, body, before.answered ?? 0);
}

test("a clean history violates nothing", async () => {
  expect(await violatedAfter(() => undefined)).toEqual([]);
});

describe("money", () => {
  test("I1: an entry is missing", async () => {
    const gone = "delete from entries where cause_id = $1 and book = 'revenue'";
    expect(await violatedAfter(({ db, video }) => db.query(gone, [video.id]))).toEqual(["I1"]);
  });

  test("I1: a transfer moves another amount than it says", async () => {
    const other = "update transfers set amount = 25 where cause_id = $1 and kind = 'release'";
    const spoil = ({ db, refused }: Story & { db: Client }) => db.query(other, [refused.id]);
    expect(await violatedAfter(spoil)).toEqual(["I1", "I7"]);
  });

  test("I2: a cached balance is off by one", async () => {
    const spoil = ({ db }: { db: Client }) => db.query("update accounts set credits = credits + 1");
    expect(await violatedAfter(spoil)).toEqual(["I2"]);
  });

  test("I3: an account was overdrawn for a while", async () => {
    const violated = await violatedAfter(async ({ db, logs }) => {
      await db.query("alter table accounts drop constraint credits_cover_holds");
      const account = await plantAccount(db, 0);
      const task = await openTask(db, logs, account);
      await inTransaction(db, () => post(db, account, newId(), "grant", 24)); // too late
      await endTask(db, logs, task, "COMPLETED");
    });
    expect(violated).toEqual(["I3"]);
  });

  test("I7: a failed task was charged", async () => {
    const violated = await violatedAfter(async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account);
      await endTask(db, logs, task, "FAILED", "capture");
    });
    expect(violated).toEqual(["I7"]);
  });

  test("I7: a hold was captured and released", async () => {
    const violated = await violatedAfter(async ({ db, video, account }) => {
      await db.query("drop index transfers_one_settlement");
      await db.query("alter table accounts drop constraint credits_cover_holds");
      await inTransaction(db, () => post(db, account, video.id, "release", 24));
    });
    expect(violated).toEqual(["I3", "I7"]); // the second one takes what is not held
  });

  test("I7: the price is not that of the order", async () => {
    const violated = await violatedAfter(({ logs }) => {
      for (const line of logs.clients) if (line.event === "ordered") line.seconds = 5;
    });
    expect(violated).toEqual(["I7"]);
  });
});

describe("tasks", () => {
  test("I4: a finished task still has an open row", async () => {
    const open = `insert into open_tasks (task_id, account_id, vendor_account, deadline_at, next_step_at)
      select id, account_id, 'ark', now(), now() from tasks where id = $1`;
    expect(await violatedAfter(({ db, video }) => db.query(open, [video.id]))).toEqual(["I4"]);
  });

  test("I4: a hold outlives everything", async () => {
    const violated = await violatedAfter(({ db, account }) =>
      inTransaction(db, () => post(db, account, newId(), "hold", 5)),
    );
    expect(violated).toEqual(["I4"]);
  });

  test("I4 and I6: a task never ends", async () => {
    const violated = await violatedAfter(({ db, logs, account }) => openTask(db, logs, account));
    expect(violated).toEqual(["I4", "I6"]);
  });

  test("I5: four tasks were open at once", async () => {
    const violated = await violatedAfter(async ({ db, logs }) => {
      const account = await plantAccount(db, 96);
      const tasks: PlantedTask[] = [];
      for (let count = 0; count < 4; count += 1) tasks.push(await openTask(db, logs, account));
      for (const task of tasks) await endTask(db, logs, task, "COMPLETED");
    });
    expect(violated).toEqual(["I5"]);
  });

  test("I6: a task that a client was given is gone", async () => {
    const gone = "delete from tasks where id = $1";
    expect(await violatedAfter(({ db, refused }) => db.query(gone, [refused.id]))).toEqual(["I6"]);
  });

  test("I6: a task changed after its end", async () => {
    const violated = await violatedAfter(({ logs, quiet }) => {
      for (const line of logs.clients)
        if (line.event === "ended" && line.taskId === quiet.id)
          line.task = { ...line.task, status: "FAILED" };
    });
    expect(violated).toEqual(["I6"]);
  });

  test("I10: a repeated key was answered with another task", async () => {
    const violated = await violatedAfter(({ logs, account, video, quiet }) => {
      const line = { at: 0, accountId: account.id, key: video.key, status: 200, taskId: quiet.id };
      logs.clients.push({ event: "answered", ...line });
    });
    expect(violated).toEqual(["I10"]);
  });

  test("I10: two tasks came of one key", async () => {
    const violated = await violatedAfter(async ({ db, logs, account, video }) => {
      const task = await openTask(db, logs, account);
      await endTask(db, logs, task, "COMPLETED");
      await db.query("delete from idempotency_keys where key = $1", [task.key]);
      for (const line of logs.clients)
        if (line.event === "answered" && line.taskId === task.id) line.key = video.key;
    });
    expect(violated).toEqual(["I10"]);
  });

  test("I12: an account read another's task", async () => {
    const violated = await violatedAfter(({ logs }) => {
      for (const line of logs.clients) if (line.event === "foreign") line.status = 200;
    });
    expect(violated).toEqual(["I12"]);
  });

  test("I15: a poll saw a step back", async () => {
    const violated = await violatedAfter(({ logs, quiet, account }) => {
      const line = { at: 0, accountId: account.id, taskId: quiet.id, status: "PROCESSING" };
      logs.clients.push({ event: "seen", ...line });
    });
    expect(violated).toEqual(["I15"]);
  });
});

describe("callbacks", () => {
  const attempts =
    "insert into attempts select delivery_id, n, now() from attempts, generate_series";

  test("I8: five attempts", async () => {
    const three = `${attempts}(3, 5) n where number = 1`;
    expect(await violatedAfter(({ db }) => db.query(three))).toEqual(["I8"]);
  });

  test("I8: no attempt at all", async () => {
    const violated = await violatedAfter(async ({ db, logs }) => {
      logs.received.length = 0;
      await db.query("delete from attempts");
    });
    expect(violated).toEqual(["I8"]);
  });

  test("I8: no delivery at all", async () => {
    expect(await violatedAfter(({ db }) => db.query("delete from deliveries"))).toEqual(["I8"]);
  });

  test("I8: a request that no attempt stands for", async () => {
    const one = "delete from attempts where number = 2";
    expect(await violatedAfter(({ db }) => db.query(one))).toEqual(["I8"]);
  });

  test("I8: a recorded answer that was never given", async () => {
    const violated = await violatedAfter(({ logs }) => logs.received.pop());
    expect(violated).toEqual(["I8"]);
  });

  test("I8: given up with attempts left", async () => {
    const gaveUp = "update deliveries set delivered_at = null, given_up_at = now()";
    expect(await violatedAfter(({ db }) => db.query(gaveUp))).toEqual(["I8"]);
  });

  test("I8: two ids for one event", async () => {
    const violated = await violatedAfter((story) => resign(story, 1, { webhookId: "msg_other" }));
    expect(violated).toEqual(["I8"]);
  });

  test("I8: another body than the query's answer", async () => {
    const violated = await violatedAfter((story) =>
      resign(story, 1, { body: '{"status":"FAILED"}' }),
    );
    expect(violated).toEqual(["I8"]);
  });

  test("I8: a signature with another secret", async () => {
    const violated = await violatedAfter(({ db }) =>
      db.query("update accounts set webhook_secret = 'whsec_b3RoZXI='"),
    );
    expect(violated).toEqual(["I8"]);
  });

  test("I9: a callback before the commit", async () => {
    const violated = await violatedAfter(({ logs }) => {
      for (const request of logs.received) request.at -= 5_000;
    });
    expect(violated).toEqual(["I9"]);
  });
});

describe("vendor, storage, engine, secrets and processes", () => {
  test("I11: a second job for a task", async () => {
    const violated = await violatedAfter(({ logs, video }) => plantJob(logs, video.id, "second"));
    expect(violated).toEqual(["I11"]);
  });

  test("I11: a job for a task that was never accepted", async () => {
    expect(await violatedAfter(({ logs }) => plantJob(logs, newId(), "stray"))).toEqual(["I11"]);
  });

  test("I11: a task completed with the job of another", async () => {
    const violated = await violatedAfter(async ({ db, logs, account }) => {
      const task = await openTask(db, logs, account, { hasJob: false });
      await endTask(db, logs, task, "COMPLETED");
    });
    expect(violated).toEqual(["I11"]);
  });

  test("I11: two orders have each other's video", async () => {
    const violated = await violatedAfter(({ logs, video }) => {
      for (const line of logs.clients)
        if (line.event === "ordered" && line.key === video.key) line.prompt = "A toad";
    });
    expect(violated).toEqual(["I11"]);
  });

  test("I13: an object is gone, or has other bytes", async () => {
    expect(await violatedAfter(({ logs }) => logs.objects.clear())).toEqual(["I13"]);
    const violated = await violatedAfter(({ logs }) => {
      for (const key of logs.objects.keys()) logs.objects.set(key, { sha256: "ff", sizeBytes: 1 });
    });
    expect(violated).toEqual(["I13"]);
  });

  test("I14: the engine works for what is over, or is paused", async () => {
    const invocation = { id: "inv_1", service: "generation", handler: "look" };
    const running = await violatedAfter(({ logs, video }) =>
      logs.invocations.push({ ...invocation, taskId: video.id, status: "backing-off" }),
    );
    expect(running).toEqual(["I14"]);
    const paused = await violatedAfter(({ logs }) =>
      logs.invocations.push({ ...invocation, taskId: newId(), status: "paused" }),
    );
    expect(paused).toEqual(["I14"]);
  });

  test("I16: a secret in a log, also across two chunks of a long one", async () => {
    const dir = await mkdtemp(join(tmpdir(), "zoetrope-leak-"));
    const chunk = 1024 * 1024;
    await writeFile(join(dir, "log"), `${"x".repeat(chunk - 4)}zoe_live_abc`);
    const leaks = await findLeaks([dir], [{ name: "an API key", mark: "zoe_live_" }]);
    await rm(dir, { recursive: true });
    expect(leaks).toEqual([{ secret: "an API key", file: join(dir, "log") }]);
    expect(await violatedAfter(({ logs }) => logs.leaks.push(...leaks))).toEqual(["I16"]);
  });

  test("up: a process ended by itself", async () => {
    expect(await violatedAfter(({ logs }) => logs.deaths.push("worker"))).toEqual(["up"]);
  });
});
