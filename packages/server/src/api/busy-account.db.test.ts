import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { buildApi } from "./build-api.ts";

const body = { model: "sd2", inputs: { prompt: "a fox" } };
const waitLimits = { timeoutMs: 300_000 };
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ DATABASE_CONNECTIONS_MAX: "8" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const send = (key: string, method: "GET" | "POST", path: string, payload?: object) =>
  api.inject(
    withoutUndefined({
      method,
      url: `/api/v1/${path}`,
      headers: { authorization: `Bearer ${key}` },
      payload,
    }),
  );

/** Holds a lock as long as `work` runs, like a transaction that hangs. */
async function whileLocked(statement: string, work: () => Promise<unknown>): Promise<void> {
  const owner = new Client({ connectionString: bed.database.ownerUrl });
  await owner.connect();
  await owner.query(`begin; ${statement}`);
  try {
    await work();
  } finally {
    await owner.query("rollback");
    await owner.end();
  }
}

async function countWaiting(): Promise<number> {
  const [row] = await bed.database.sql<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return row?.count ?? 0;
}
const untilSomeWait = () =>
  waitUntil("requests wait for a lock", async () => (await countWaiting()) > 0, {
    timeoutMs: 300_000,
  });

async function worksFor(key: string): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const created = await send(key, "POST", "jobs/createTask", body);
    expect(created.statusCode, created.payload).toBe(200);
    const { taskId } = created.json();
    expect((await send(key, "GET", `jobs/queryTask?taskId=${taskId}`)).statusCode).toBe(200);
    expect((await send(key, "GET", "account/credits")).statusCode).toBe(200);
  }
}

test("400 creates of an account whose row is locked leave connections to another account's creates and queries", async () => {
  const [noisy, quiet] = [await bed.openAccount(), await bed.openAccount({ openTasksMax: 100 })];
  const flood: ReturnType<typeof send>[] = [];
  await whileLocked(`select 1 from accounts where id = '${noisy.id}' for update`, async () => {
    for (let i = 0; i < 400; i++) flood.push(send(noisy.key, "POST", "jobs/createTask", body));
    await untilSomeWait();
    expect(bed.ctx.pool.usage().waiting).toBe(0);
    await worksFor(quiet.key);
    expect(await countWaiting()).toBeLessThanOrEqual(2); // a quarter of the pool
    expect((await send(noisy.key, "GET", "account/credits")).statusCode).toBe(200); // its reads go on
  });
  const answers = await Promise.all(flood);
  const outcomes = new Set(
    answers.map((one) => `${one.statusCode} ${one.json().code ?? ""}`.trim()),
  );
  const expected = ["200", "429 concurrency_limit", "503 account_busy"];
  expect(expected).toEqual(expect.arrayContaining([...outcomes]));
  const refused = answers.filter((one) => one.json().code === "account_busy");
  expect(refused.length).toBeGreaterThanOrEqual(290); // the queue is short, and what exceeds it is refused at once
  for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
});

test("as many reads of the balance and of one task as come at once are answered", async () => {
  const account = await bed.openAccount({ openTasksMax: 100 });
  const { taskId } = (await send(account.key, "POST", "jobs/createTask", body)).json();
  const paths = ["account/credits", `jobs/queryTask?taskId=${taskId}`];
  const reads = Array.from({ length: 600 }, (_, i) => send(account.key, "GET", paths[i % 2] ?? ""));
  const byPost = 150; // more than the writes that may wait
  for (let i = 0; i < byPost; i++)
    reads.push(send(account.key, "POST", "jobs/query", { taskIds: [taskId] }));
  for (const { statusCode, payload } of await Promise.all(reads))
    expect(statusCode, payload).toBe(200);
});

test("reads that wait for a connection are not refused for their number", async () => {
  const account = await bed.openAccount();
  expect((await send(account.key, "GET", "account/credits")).statusCode).toBe(200); // its key is known
  const flood: ReturnType<typeof send>[] = [];
  await whileLocked("lock table deliveries in access exclusive mode", async () => {
    for (let i = 0; i < 300; i++) flood.push(send(account.key, "GET", "webhooks/deliveries"));
    await untilSomeWait();
  });
  const codes = (await Promise.all(flood)).map((one) => one.json().code ?? "200");
  expect(codes).not.toContain("too_many_requests");
  expect(codes.filter((code) => code === "200").length).toBeGreaterThan(100); // beyond the places of others
});

test("reads of one account that wait in the database hold at most half of the connections", async () => {
  const [noisy, quiet] = [await bed.openAccount(), await bed.openAccount({ openTasksMax: 100 })];
  await worksFor(quiet.key); // its key is known
  const flood: ReturnType<typeof send>[] = [];
  await whileLocked("lock table deliveries in access exclusive mode", async () => {
    for (let i = 0; i < 100; i++) flood.push(send(noisy.key, "GET", "webhooks/deliveries"));
    await untilSomeWait();
    expect(bed.ctx.pool.usage().waiting).toBe(0);
    expect(await countWaiting()).toBeLessThanOrEqual(4);
    expect(await bed.ctx.renderMetrics()).toContain('zoetrope_pool_waiting{state="turn"} 0\n');
    await worksFor(quiet.key);
  });
  await Promise.all(flood);
});

test("a client that waits for its task holds no connection", async () => {
  const waiting = await bed.openAccount({ openTasksMax: 100 });
  const { taskId } = (await send(waiting.key, "POST", "jobs/createTask", body)).json();
  const polls = Array.from({ length: 50 }, () =>
    api.inject({
      url: `/api/v1/jobs/queryTask?taskId=${taskId}`,
      headers: { authorization: `Bearer ${waiting.key}`, prefer: "wait=2" },
    }),
  );
  await worksFor(waiting.key);
  for (const { statusCode } of await Promise.all(polls)) expect(statusCode).toBe(200);
});

test("reads of several accounts that wait in the database leave connections to one that has none, and are seen to wait", async () => {
  const noisy = await Promise.all([bed.openAccount(), bed.openAccount(), bed.openAccount()]);
  const quiet = await bed.openAccount({ openTasksMax: 100 });
  await worksFor(quiet.key); // its key is known
  const flood: ReturnType<typeof send>[] = [];
  await whileLocked("lock table deliveries in access exclusive mode", async () => {
    for (let i = 0; i < 90; i++)
      flood.push(send(noisy[i % 3]?.key ?? "", "GET", "webhooks/deliveries"));
    await waitUntil("they hold what they may", async () => (await countWaiting()) >= 6, waitLimits);
    expect(bed.ctx.pool.usage().waiting).toBe(0);
    expect(await bed.ctx.renderMetrics()).toMatch(/zoetrope_pool_waiting\{state="turn"\} [1-9]/);
    await worksFor(quiet.key);
    expect(await countWaiting()).toBeLessThan(8);
  });
  await Promise.all(flood);
});

test("a request waits for one of each account, not for the hundreds that another sent before it", async () => {
  const [busy, other] = [await bed.openAccount(), await bed.openAccount()];
  for (const { key } of [busy, other]) await send(key, "GET", "models"); // both keys are known now
  const answered: string[] = [];
  const ask = async ({ key }: typeof busy) => {
    expect((await send(key, "GET", "models")).statusCode).toBe(200);
    answered.push(key);
  };
  await Promise.all([...Array.from({ length: 300 }, () => ask(busy)), ask(other)]);
  expect(answered.indexOf(other.key)).toBeLessThan(30);
});
