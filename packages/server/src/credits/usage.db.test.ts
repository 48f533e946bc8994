import { afterAll, beforeAll, expect, test } from "vitest";
import { checkMoney } from "../../test/harness/check-money.ts";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createKey } from "../accounts/create-key.ts";
import type { Caller } from "../accounts/queries.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";
import { finishTask, type Outcome } from "../tasks/finish-task.ts";
import { rebuildUsage } from "../tasks/rebuild-usage.ts";
import { verifyLedger } from "../tasks/verify-ledger.ts";
import { grantCredits, lowerHold, raiseHold } from "./ledger.ts";
import type { UsageItem, UsagePage } from "./usage-schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await checkMoney(bed.database);
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const hourMs = 60 * 60 * 1000;
const price = 30;

async function ask(key: string, query: string, accept = "application/json") {
  const headers = { authorization: `Bearer ${key}`, accept };
  return api.inject({ url: `/api/v1/account/usage?${query}`, headers });
}

async function usageOf(key: string, query: string): Promise<UsagePage> {
  const response = await ask(key, query);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

async function run(account: Caller, outcome: Outcome, model = "sd2"): Promise<TaskId> {
  const body = { model, inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await finishTask(bed.ctx, taskId, outcome);
  return taskId;
}

/** As if these tasks had ended within an hour of the day before yesterday, and nothing had been recorded. */
async function moveBack(accountId: string, taskIds: TaskId[]): Promise<void> {
  await bed.database.sql("set session_replication_role = replica");
  await bed.database.sql(
    `update transfers set created_at = date_trunc('day', now(), 'UTC') - interval '26 hours'
     where cause_id = any ($1::uuid[]) and kind in ('capture', 'release')`,
    [taskIds],
  );
  await bed.database.sql("set session_replication_role = origin");
  for (const table of ["usage_hours", "usage_days"])
    await bed.database.sql(`delete from ${table} where account_id = $1`, [accountId]);
}

/** By value, over the intervals: a test may run into the next hour. */
function sums(items: UsageItem[]) {
  const add = (of: UsageItem[], name: "completed" | "failed" | "credits" | "videoSeconds") =>
    of.reduce((sum, item) => sum + item[name], 0);
  return [...Map.groupBy(items, ({ value }) => value)].map(([value, of]) => ({
    value,
    completed: add(of, "completed"),
    failed: add(of, "failed"),
    credits: add(of, "credits"),
    videoSeconds: add(of, "videoSeconds"),
  }));
}

test("every end of a task is counted in its hour, by model, key and status, with what was charged", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const { keyId } = await createKey(bed.ctx.db, { accountId: account.id, name: "second" });
  await run(account, endings.COMPLETED);
  await run(account, endings.COMPLETED);
  await run(account, endings.FAILED);
  await run({ ...account, keyId }, endings.FAILED, "image-pro-2");
  for (const by of ["hour", "day", "month"]) {
    expect(sums((await usageOf(account.key, `by=${by}`)).items), by).toEqual([
      { value: null, completed: 2, failed: 2, credits: 2 * price, videoSeconds: 10 },
    ]);
    expect(sums((await usageOf(account.key, `by=${by}&group=model`)).items), by).toEqual([
      { value: "image-pro-2", completed: 0, failed: 1, credits: 0, videoSeconds: 0 },
      { value: "sd2", completed: 2, failed: 1, credits: 2 * price, videoSeconds: 10 },
    ]);
    expect(sums((await usageOf(account.key, `by=${by}&group=status`)).items), by).toEqual([
      { value: "COMPLETED", completed: 2, failed: 0, credits: 2 * price, videoSeconds: 10 },
      { value: "FAILED", completed: 0, failed: 2, credits: 0, videoSeconds: 0 },
    ]);
  }
  const { items } = await usageOf(account.key, "by=hour&group=key");
  expect(new Map(items.map(({ value, name }) => [value, name]))).toEqual(
    new Map<string | null, string>([
      [account.keyId, "test"],
      [keyId, "second"],
    ]),
  );
});

test("grants are no usage, and a task that ends twice is counted once", async () => {
  const account = await bed.openAccount();
  await grantCredits(bed.ctx.pool, { accountId: account.id, credits: 50, note: "" });
  expect((await usageOf(account.key, "by=hour")).items).toEqual([]);
  const taskId = await run(account, endings.COMPLETED);
  expect(await finishTask(bed.ctx, taskId, endings.FAILED)).toBe(false);
  expect(sums((await usageOf(account.key, "by=hour")).items)).toMatchObject([
    { completed: 1, failed: 0, credits: price },
  ]);
});

test("a hold that was raised or lowered counts as what was captured", async () => {
  for (const [change, credits] of [
    [raiseHold, 75],
    [lowerHold, 20],
  ] as const) {
    const account = await bed.openAccount();
    const body = { model: "sd2", inputs: { prompt: "a fox" } };
    const { taskId } = await createTask(bed.ctx, account, body, null);
    if (change === raiseHold) await raiseHold(bed.ctx.db, { taskId, credits });
    else await lowerHold(bed.ctx.pool, { taskId, credits });
    await finishTask(bed.ctx, taskId, endings.COMPLETED);
    expect(sums((await usageOf(account.key, "by=hour")).items)).toMatchObject([{ credits }]);
  }
});

test("20 tasks of one account that end at once are all counted, and no finish fails", async () => {
  const account = await bed.openAccount({ openTasksMax: 20 });
  await Promise.all(Array.from({ length: 20 }, () => run(account, endings.COMPLETED)));
  const { items } = await usageOf(account.key, "by=month");
  expect(sums(items)).toMatchObject([{ completed: 20, credits: 20 * price }]);
  await checkMoney(bed.database);
});

test("accounts see their own usage alone", async () => {
  const [one, other] = [await bed.openAccount(), await bed.openAccount()];
  await run(one, endings.COMPLETED);
  expect((await usageOf(one.key, "by=hour")).items).toHaveLength(1);
  expect((await usageOf(other.key, "by=hour")).items).toEqual([]);
});

test("tasks that ended before usage was recorded are counted by a rebuild, which may be repeated and changes nothing that is right", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const tasks = [];
  for (const ending of [endings.COMPLETED, endings.FAILED, endings.COMPLETED])
    tasks.push(await run(account, ending));
  await moveBack(account.id, tasks);
  await run(account, endings.COMPLETED); // recorded as it ended
  const { breaches } = await verifyLedger(bed.ctx.pool);
  expect(breaches).toMatchObject([{ invariant: expect.stringMatching(/^I6/) }]);
  expect((await rebuildUsage(bed.ctx.db)).intervals).toBe(2); // an hour and a day
  await checkMoney(bed.database);
  expect((await rebuildUsage(bed.ctx.db)).intervals).toBe(0);
  const from = new Date(Date.now() - 60 * hourMs).toISOString();
  const [old, ...later] = (await usageOf(account.key, `by=hour&from=${from}`)).items;
  const recorded = { completed: 2, failed: 1, credits: 2 * price, videoSeconds: 10 };
  expect(old).toMatchObject(recorded);
  expect(sums(later)).toMatchObject([{ completed: 1, failed: 0, credits: price }]);
});

test("a rebuild while tasks end neither loses nor repeats one", async () => {
  const account = await bed.openAccount({ credits: 100_000, openTasksMax: 20 });
  const old = await Promise.all(Array.from({ length: 10 }, () => run(account, endings.COMPLETED)));
  await moveBack(account.id, old);
  const ending = Promise.all(Array.from({ length: 10 }, () => run(account, endings.FAILED)));
  for (let again = 0; again < 5; again++) await rebuildUsage(bed.ctx.db);
  await ending;
  await rebuildUsage(bed.ctx.db);
  await checkMoney(bed.database);
});

test("a wrong count, a wrong sum and a missing interval are found by `ledger verify`", async () => {
  const account = await bed.openAccount();
  await run(account, endings.COMPLETED);
  for (const [change, undo] of [
    ["credits = credits + 1", "credits = credits - 1"],
    ["tasks = tasks + 1", "tasks = tasks - 1"],
    ["status = 'FAILED'", "status = 'COMPLETED'"],
  ])
    for (const table of ["usage_hours", "usage_days"]) {
      const update = (set: string | undefined) =>
        bed.database.sql(`update ${table} set ${set} where account_id = $1`, [account.id]);
      await update(change);
      const { breaches } = await verifyLedger(bed.ctx.pool);
      expect(breaches, change).toMatchObject([{ rows: [{ account_id: account.id }] }]);
      await update(undo);
    }
  await checkMoney(bed.database);
});

test("pages have every item once, whatever their size, and the last one says so", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  for (const model of ["sd2", "image-pro-2", "image-plus-2"]) {
    await run(account, endings.FAILED, model);
    await bed.database.sql(
      `insert into usage_days
       select id_floor(now() - months * interval '1 month'), account_id, kind, model, key_id, status, 1, 0, 0
       from usage_days, generate_series(1, 3) as months where account_id = $1 and model = $2`,
      [account.id, model],
    );
  }
  for (const by of ["day", "month"]) {
    const query = `by=${by}&group=model&from=${new Date(Date.now() - 120 * 24 * hourMs).toISOString()}`;
    const whole = await usageOf(account.key, query);
    expect(whole.items).toHaveLength(12);
    expect(whole.nextCursor).toBeNull();
    for (const limit of [1, 5, 12]) {
      const items: UsageItem[] = [];
      let cursor = "";
      for (let pages = 0; pages < 13; pages++) {
        const page = await usageOf(account.key, `${query}&limit=${limit}${cursor}`);
        items.push(...page.items);
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      expect(items, `${by} ${limit}`).toEqual(whole.items);
    }
  }
  await bed.database.sql("delete from usage_days where account_id = $1", [account.id]);
  await rebuildUsage(bed.ctx.db);
});

test.each([
  ["by=week", "by"],
  ["group=prompt", "group"],
  ["from=yesterday", "from"],
  ["to=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z", "to"],
  ["by=hour&from=2025-01-01T00:00:00Z&to=2025-03-01T00:00:00Z", "from"],
  ["by=day&from=2020-01-01T00:00:00Z&to=2025-03-01T00:00:00Z", "from"],
  ["by=month&from=2000-01-01T00:00:00Z&to=2025-03-01T00:00:00Z", "from"],
  ["from=0000-01-01T00:00:00Z&to=0000-01-02T00:00:00Z", "to"],
  ["limit=0", "limit"],
  ["limit=1001", "limit"],
  ["cursor=x", "cursor"],
  ["model=sd2", "model"],
])("400: %s names %s", async (query, param) => {
  const account = await bed.openAccount({ credits: 0 });
  const response = await ask(account.key, query);
  expect([response.statusCode, response.json().param]).toEqual([400, param]);
});

test("text/csv has the same items, quoted, and no text that a spreadsheet would run", async () => {
  const account = await bed.openAccount();
  const name = '=HYPERLINK("http://x","a"), b';
  const { keyId } = await createKey(bed.ctx.db, { accountId: account.id, name });
  await run({ ...account, keyId }, endings.COMPLETED);
  const response = await ask(account.key, "by=day&group=key", "text/csv");
  expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [names, line] = response.body.split("\r\n");
  expect(names).toBe("start,keyId,keyName,completed,failed,credits,videoSeconds");
  expect(line?.slice(10)).toBe(
    `T00:00:00.000Z,${keyId},"'=HYPERLINK(""http://x"",""a""), b",1,0,${price},5`,
  );
});

test("a page of text/csv links to the next one, which ends where the first would have", async () => {
  const account = await bed.openAccount();
  await run(account, endings.COMPLETED);
  await run(account, endings.COMPLETED, "image-pro-2");
  const first = await ask(account.key, "by=day&group=model&limit=1", "text/csv");
  const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers["link"])) ?? [];
  const headers = { authorization: `Bearer ${account.key}`, accept: "text/csv" };
  const second = await api.inject({ url: next, headers });
  expect(second.headers["link"]).toBeUndefined();
  expect(second.body).toMatch(/^start,model,.*\r\n.*Z,sd2,1,0,30,5\r\n$/);
});
