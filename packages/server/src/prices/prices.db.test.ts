import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import type { Caller } from "../accounts/queries.ts";
import { changeAccount } from "../admin/accounts/change-account.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import { quoteTask } from "../generation/quote-task.ts";
import type { Actor } from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { createUpscale } from "../upscale/create-upscale.ts";
import type { PriceDocument } from "./document.ts";
import { readFirstBooks } from "./first-books.ts";

let bed: TestBed;
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const operator: Actor = { kind: "command", user: "root", address: null, requestId: null };
const video = { model: "sd2", inputs: { prompt: "a fox" } };
const first = readFirstBooks().get("A") ?? {};
const minute = 60_000;

/** The rates of book A with another one for 720p, at which the video costs five times that. */
function withRate(rate: number): PriceDocument {
  return { ...first, sd2: { ...first["sd2"], "720p": rate } };
}

/** Publishes versions, the first in force already, with the time from now at which each begins. */
async function publish(...versions: { rate: number; inMs: number }[]): Promise<string> {
  const book = `book-${randomUUID().slice(0, 8)}`;
  await bed.database.sql("insert into price_books (name) values ($1)", [book]);
  for (const [index, { rate, inMs }] of versions.entries())
    await bed.database.sql(
      `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
       values ($1, $2, $3, now() + $4 * interval '1 ms', 'command', 'root')`,
      [book, index + 1, JSON.stringify(withRate(rate)), inMs],
    );
  await bed.ctx.prices.refresh();
  return book;
}

const openOn = (priceBook: string) => bed.openAccount({ priceBook });
const create = (caller: Caller, more: object = {}, ctx: OpenContext = bed.ctx) =>
  createTask(ctx, caller, { ...video, ...more }, null);

async function rowOf(taskId: string) {
  const [row] = await bed.database.sql(
    `select price_schedule as book, price_version as version, discount, price_lines as lines, credits::int
     from tasks where id = $1`,
    [taskId],
  );
  return row;
}

test("a task keeps book, version, discount and what was priced", async () => {
  const book = await publish({ rate: 7, inMs: -1_000 });
  const caller = await openOn(book);
  const discount = { basisPoints: 1_000, until: Date.now() + minute };
  await changeAccount(bed.ctx, operator, caller.id, { discount });
  const { taskId } = await create(caller);
  expect(await rowOf(taskId)).toEqual({
    book,
    version: 1,
    discount: 1_000,
    lines: [{ item: "output", key: "720p", quantity: [5, 1], rate: 7 }],
    credits: 32, // 35, less 3.5
  });
});

test("a request that comes before the books are read waits for them", async () => {
  const { prices } = bed.openAnother();
  let isRead = false;
  const reading = prices.refresh().then(() => {
    isRead = true;
  });
  const asked = [];
  while (!isRead) {
    asked.push(prices.inForce("A"));
    await nextTurn();
  }
  await reading;
  const ids = (await Promise.all(asked)).map((version) => version?.id);
  expect(new Set(ids)).toEqual(new Set(["A@1"]));
});

test("a version that is published reaches a process that watches, which switches when it begins", async () => {
  const book = await publish({ rate: 7, inMs: -1_000 });
  const other = bed.openAnother();
  await other.prices.watch();
  const caller = await openOn(book);
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 2, $2, now() + interval '3 s', 'command', 'root')`,
    [book, JSON.stringify(withRate(9))],
  );
  await vi.waitFor(() => expect(other.prices.current().get(book)).toHaveLength(2), minute);
  await vi.waitFor(async () => {
    expect(await quoteTask(other, caller, video)).toMatchObject({
      credits: 45,
      priceVersion: `${book}@2`,
    });
  }, minute);
});

/** A process whose clock is wrong. */
function wrongBy(ms: number): OpenContext {
  const { prices } = bed.ctx;
  const now = () => new Date(Date.now() + ms);
  const inForce = (name: string, at: Date | null = null) => prices.inForce(name, at ?? now());
  return { ...bed.ctx, prices: { ...prices, now, inForce } };
}

test("the version in force when a task is accepted counts, whatever the process thought the time was", async () => {
  const begun = await publish({ rate: 7, inMs: -minute }, { rate: 9, inMs: -1 });
  const late = await create(await openOn(begun), {}, wrongBy(-minute / 2));
  expect(await rowOf(late.taskId)).toMatchObject({ version: 2, credits: 45 });
  const announced = await publish({ rate: 7, inMs: -1 }, { rate: 9, inMs: minute });
  const early = await create(await openOn(announced), {}, wrongBy(2 * minute));
  expect(await rowOf(early.taskId)).toMatchObject({ version: 1, credits: 35 });
});

test("a quoted version is paid for 15 minutes after its end, and refused with the new price then", async () => {
  const minutes = (count: number) => count * minute;
  const recent = await publish({ rate: 7, inMs: -minutes(60) }, { rate: 9, inMs: -minutes(14) });
  const caller = await openOn(recent);
  const { taskId } = await create(caller, { priceVersion: `${recent}@1` });
  expect(await rowOf(taskId)).toMatchObject({ version: 1, credits: 35 });

  const old = await publish({ rate: 7, inMs: -minutes(60) }, { rate: 9, inMs: -minutes(16) });
  const late = await openOn(old);
  await expect(create(late, { priceVersion: `${old}@1` })).rejects.toMatchObject({
    code: "price_changed",
    message: expect.stringContaining(`costs 45 credits by ${old}@2`),
  });
  for (const priceVersion of [`${recent}@1`, `${old}@3`, "sd2"])
    await expect(create(late, { priceVersion }), priceVersion).rejects.toMatchObject({
      code: "price_changed",
    });
  const upscale = {
    source: { type: "url" as const, url: "https://example.com/a.mp4" },
    targetResolution: "4k" as const,
    priceVersion: `${old}@1`,
  };
  await expect(createUpscale(bed.ctx, late, upscale, null)).rejects.toMatchObject({
    code: "price_changed",
  });
});

test("a version that is announced and has not begun is paid for by nobody", async () => {
  const book = await publish({ rate: 7, inMs: -1_000 }, { rate: 1, inMs: minute });
  const caller = await openOn(book);
  await expect(create(caller, { priceVersion: `${book}@2` })).rejects.toMatchObject({
    code: "price_changed",
  });
});

test("a create with priceVersion that is repeated after the switch is the first task, at its price", async () => {
  const book = await publish({ rate: 7, inMs: -60 * minute });
  const caller = await openOn(book);
  const body = { ...video, priceVersion: `${book}@1` };
  const { taskId } = await createTask(bed.ctx, caller, body, "once");
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 2, $2, now() - interval '16 min', 'command', 'root')`,
    [book, JSON.stringify(withRate(9))],
  );
  await bed.ctx.prices.refresh();
  expect(await createTask(bed.ctx, caller, body, "once")).toMatchObject({ taskId, replayed: true });
  expect(await rowOf(taskId)).toMatchObject({ credits: 35 });
  const other = createTask(bed.ctx, caller, video, "once");
  await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

test("a book or a discount that changed a moment ago counts: the price is made again by the account's row", async () => {
  const [dear, cheap] = [
    await publish({ rate: 9, inMs: -1 }),
    await publish({ rate: 2, inMs: -1 }),
  ];
  const caller = await openOn(dear); // what a process remembers of it
  await changeAccount(bed.ctx, operator, caller.id, { priceBook: cheap });
  expect(await rowOf((await create(caller)).taskId)).toMatchObject({ book: cheap, credits: 10 });
  const discount = { basisPoints: 5_000, until: Date.now() + minute };
  await changeAccount(bed.ctx, operator, caller.id, { discount });
  expect(await rowOf((await create(caller)).taskId)).toMatchObject({ discount: 5_000, credits: 5 });
  const upscale = {
    source: { type: "url" as const, url: "https://example.com/a.mp4" },
    targetResolution: "4k" as const,
  };
  const { taskId } = await createUpscale(bed.ctx, caller, upscale, null);
  expect(await rowOf(taskId)).toMatchObject({ book: cheap, discount: 5_000, credits: 18 });
});

test("a discount ends at its time by the database, also for a process that remembers it", async () => {
  const caller = await openOn("A");
  const ended = { basisPoints: 5_000, until: Date.now() - 1_000 };
  await changeAccount(bed.ctx, operator, caller.id, { discount: ended });
  const remembered = { ...caller, discount: { basisPoints: 5_000, until: Date.now() + minute } };
  const { taskId } = await create(remembered);
  expect(await rowOf(taskId)).toMatchObject({ discount: 0, credits: 30 });
});

test("a discount that would make a task free leaves one credit, and the items add up", async () => {
  const book = await publish({ rate: 1, inMs: -1 });
  const caller = await openOn(book);
  const discount = { basisPoints: 9_999, until: Date.now() + minute };
  const quoted = await quoteTask(bed.ctx, { ...caller, discount }, video);
  expect(quoted.credits).toBe(1);
  expect(quoted.items.map(({ item, credits }) => [item, credits])).toEqual([
    ["output", 5],
    ["discount", -4],
  ]);
});

test("a test account is priced like its account, also after a change", async () => {
  const caller = await openOn("A");
  await changeAccount(bed.ctx, operator, caller.id, { testMode: "on" });
  await bed.database.sql(
    `insert into accounts (id, name, webhook_secret, open_tasks_max, test_of)
     values ($1, 'twin', 'x', 3, $2)`,
    [randomUUID(), caller.id],
  );
  const discount = { basisPoints: 1, until: Date.now() + minute };
  await changeAccount(bed.ctx, operator, caller.id, { priceBook: "B", discount });
  const twin = `select price_schedule as book, discount from accounts where test_of = $1`;
  expect(await bed.database.sql(twin, [caller.id])).toEqual([{ book: "B", discount: 1 }]);
});

test("a published version is never changed and never removed, not even by the owner of the schema", async () => {
  for (const statement of [
    "update price_versions set document = '{}' where book = 'A'",
    "delete from price_versions where book = 'A'",
  ])
    await expect(bed.database.sql(statement)).rejects.toThrow("never changes");
});

test("a book that does not exist is given to nobody", async () => {
  const { id } = await openOn("A");
  await expect(
    changeAccount(bed.ctx, operator, id, { priceBook: "nowhere" }),
  ).rejects.toMatchObject({ code: "invalid_parameters", param: "priceBook" });
});

test("a process that cannot read goes on with what it knows, and counts as dead after a minute", async () => {
  const book = await publish({ rate: 7, inMs: -1 });
  const caller = await openOn(book);
  const other = bed.openAnother();
  await other.prices.refresh();
  await bed.database.sql("revoke select on price_versions from zoetrope_service");
  try {
    await expect(other.prices.refresh()).rejects.toThrow("permission denied");
    expect(await quoteTask(other, caller, video)).toMatchObject({ credits: 35 });
    expect(other.prices.state().isAlive).toBe(true);
    const { now } = performance;
    vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 61_000);
    expect(other.prices.state()).toMatchObject({ name: "prices", isAlive: false });
    vi.restoreAllMocks();
  } finally {
    await bed.database.sql("grant select on price_versions to zoetrope_service");
  }
  await other.prices.refresh();
  expect(other.prices.state().isAlive).toBe(true);
});

test("a document that this release does not understand takes nothing from other books", async () => {
  const bad = `bad-${randomUUID().slice(0, 8)}`;
  await bed.database.sql("insert into price_books (name) values ($1)", [bad]);
  await bed.database.sql(
    `insert into price_versions (book, version, document, valid_from, published_kind, published_by)
     values ($1, 1, '{"sd2": {"720p": 0.5}}', now(), 'command', 'root')`,
    [bad],
  );
  await bed.ctx.prices.refresh();
  expect(await bed.ctx.prices.inForce(bad)).toBeUndefined();
  expect((await bed.ctx.prices.inForce("A"))?.id).toBe("A@1");
});

test("models says by which version the account pays, what comes next and its discount", async () => {
  const book = await publish({ rate: 7, inMs: -1 }, { rate: 9, inMs: minute });
  const { id, key } = await openOn(book);
  const discount = { basisPoints: 250, until: Date.now() + minute };
  await changeAccount(bed.ctx, operator, id, { discount });
  const api = await buildApi(bed.ctx);
  const headers = { authorization: `Bearer ${key}` };
  const { models, prices } = (await api.inject({ url: "/api/v1/models", headers })).json();
  expect(prices).toEqual({
    priceVersion: `${book}@1`,
    discount,
    change: {
      priceVersion: `${book}@2`,
      validFrom: expect.any(Number),
      rates: [{ model: "sd2", rate: "720p", before: 7, after: 9 }],
    },
  });
  expect(models[0].prices.seconds[0]).toMatchObject({ creditsPerSecond: 7 });
  await api.close();
});
