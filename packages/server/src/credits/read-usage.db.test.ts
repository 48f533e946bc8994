import { afterAll, beforeAll, expect, test } from "vitest";
import { endings } from "../../test/harness/endings.ts";
import type { TestBed } from "../../test/harness/test-context.ts";
import { openUsageBed } from "../../test/harness/usage-bed.ts";
import { createKey } from "../accounts/create-key.ts";
import { rebuildUsage } from "../ledger-checks/rebuild-usage.ts";
import type { UsageItem } from "./usage-schema.ts";

let usage: Awaited<ReturnType<typeof openUsageBed>>;
let bed: TestBed;
beforeAll(async () => {
  usage = await openUsageBed();
  bed = usage.bed;
});
afterAll(() => usage[Symbol.asyncDispose]());

const hourMs = 60 * 60 * 1000;
const price = 30;

test("pages have every item once, whatever their size, and the last one says so", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  for (const model of ["sd2", "image-pro-2", "image-plus-2"]) {
    await usage.run(account, endings.FAILED, model);
    await bed.database.sql(
      `insert into usage_days
       select id_floor(now() - months * interval '1 month'), account_id, kind, model, key_id, status, 1, 0, 0
       from usage_days, generate_series(1, 3) as months where account_id = $1 and model = $2`,
      [account.id, model],
    );
  }
  for (const by of ["day", "month"]) {
    const query = `by=${by}&group=model&from=${new Date(Date.now() - 120 * 24 * hourMs).toISOString()}`;
    const whole = await usage.usageOf(account.key, query);
    expect(whole.items).toHaveLength(12);
    expect(whole.nextCursor).toBeNull();
    for (const limit of [1, 5, 12]) {
      const items: UsageItem[] = [];
      let cursor = "";
      for (let pages = 0; pages < 13; pages++) {
        const page = await usage.usageOf(account.key, `${query}&limit=${limit}${cursor}`);
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

test("a cursor continues within the first interval, and one from before the range begins at its start", async () => {
  const account = await bed.openAccount({ openTasksMax: 10 });
  for (const model of ["sd2", "image-pro-2"]) await usage.run(account, endings.FAILED, model);
  const { items } = await usage.usageOf(account.key, "by=day&group=model");
  const from = new Date(items[0]?.start ?? 0).toISOString();
  const query = `by=day&group=model&from=${from}`;
  const { nextCursor } = await usage.usageOf(account.key, `${query}&limit=1`);
  expect((await usage.usageOf(account.key, `${query}&cursor=${nextCursor}`)).items).toEqual(
    items.slice(1),
  );
  expect((await usage.usageOf(account.key, `${query}&cursor=0:z`)).items).toEqual(items);
});

test("without from, the last 24 hours, 30 days or 12 months are read, from the beginning of an interval", async () => {
  const account = await bed.openAccount();
  for (const [by, from] of [
    ["hour", "2026-03-14T10:00:00.000Z"],
    ["day", "2026-02-13T00:00:00.000Z"],
    ["month", "2025-04-01T00:00:00.000Z"],
  ]) {
    const page = await usage.usageOf(account.key, `by=${by}&to=2026-03-15T10:20:30Z`);
    expect(
      [page.to, page.from].map((at) => new Date(at).toISOString()),
      by,
    ).toEqual(["2026-03-15T10:20:30.000Z", from]);
  }
});

test.each([
  ["hour", 31 * 24 + 1, "31 days"],
  ["day", 733 * 24, "732 days"],
  ["month", 61 * 31 * 24, "60 months"],
])("by %s the range has a longest length, and the refusal names it", async (by, hours, most) => {
  const account = await bed.openAccount();
  const from = Date.UTC(2020, 0, 1);
  const query = (to: number) =>
    `by=${by}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  expect((await usage.ask(account.key, query(from + hours * hourMs))).statusCode).toBe(200);
  const refused = await usage.ask(account.key, query(from + hours * hourMs + 1));
  expect(refused.json()).toMatchObject({ param: "from" });
  expect(refused.json().message).toContain(`must be at most ${most} before to`);
  const empty = await usage.ask(account.key, query(from));
  expect(empty.json().message).toContain("must be later than from");
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
])("400: %s names %s", async (query, param) => {
  const account = await bed.openAccount({ credits: 0 });
  const response = await usage.ask(account.key, query);
  expect([response.statusCode, response.json().param]).toEqual([400, param]);
});

test("text/csv has the same items, quoted, and no text that a spreadsheet would run", async () => {
  const account = await bed.openAccount();
  const name = '=HYPERLINK("http://x","a"), b';
  const { keyId } = await createKey(bed.ctx.db, { accountId: account.id, name });
  await usage.run({ ...account, keyId }, endings.COMPLETED);
  const response = await usage.ask(account.key, "by=day&group=key", "text/csv");
  expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
  const [names, line] = response.body.split("\r\n");
  expect(names).toBe("start,keyId,keyName,completed,failed,credits,videoSeconds");
  expect(line?.slice(10)).toBe(
    `T00:00:00.000Z,${keyId},"'=HYPERLINK(""http://x"",""a""), b",1,0,${price},5`,
  );
});

test("text/csv of the whole has no columns of a group, is named after its unit, and a task without a key has no name", async () => {
  const account = await bed.openAccount();
  await usage.run({ ...account, keyId: null }, endings.COMPLETED);
  const whole = await usage.ask(account.key, "by=day", "text/csv");
  expect(whole.headers).toMatchObject({
    vary: "Accept",
    "content-disposition": 'attachment; filename="usage-by-day.csv"',
  });
  expect(whole.body).toMatch(/^start,completed,failed,credits,videoSeconds\r\n[^,]+,1,0,30,5\r\n$/);
  const byKey = await usage.ask(account.key, "by=day&group=key", "text/csv");
  expect(byKey.body.split("\r\n")[1]?.split(",").slice(1)).toEqual(["", "", "1", "0", "30", "5"]);
});

test("a page of text/csv links to the next one, which ends where the first would have", async () => {
  const account = await bed.openAccount();
  await usage.run(account, endings.COMPLETED);
  await usage.run(account, endings.COMPLETED, "image-pro-2");
  const first = await usage.ask(account.key, "by=day&group=model&limit=1", "text/csv");
  const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers["link"])) ?? [];
  const headers = { authorization: `Bearer ${account.key}`, accept: "text/csv" };
  const second = await usage.api.inject({ url: next, headers });
  expect(second.headers["link"]).toBeUndefined();
  expect(second.body).toMatch(/^start,model,.*\r\n.*Z,sd2,1,0,30,5\r\n$/);
});
