import { connect } from "node:net";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startApi as startApiProcess } from "../../test/crash-points/crash-processes.ts";
import { claimOf } from "../../test/harness/claim-of.ts";
import { endings } from "../../test/harness/endings.ts";
import { openStream } from "../../test/harness/event-stream.ts";
import { type LiveBed, openLiveBed } from "../../test/harness/live-bed.ts";
import { createKey } from "../accounts/create-key.ts";
import { type Caller, markKeyRevoked } from "../accounts/queries.ts";
import { createTask } from "../generation/create-task.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { bindJob, claimSubmit } from "../tasks/submit-queries.ts";

let bed: LiveBed;
beforeAll(async () => {
  bed = await openLiveBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const limits = { timeoutMs: 300_000 };
const body = { model: "sd2", inputs: { prompt: "a fox" } };
const create = async (account: Caller) => (await createTask(bed.ctx, account, body, null)).taskId;

async function follow(
  key: string,
  { base = bed.baseUrl, query = "", ...headers }: Record<string, string> = {},
) {
  const url = `${base}/api/v1/events${query}`;
  const stream = await openStream(url, { authorization: `Bearer ${key}`, ...headers });
  onTestFinished(stream.leave);
  const of = (event: string) => stream.events.filter((one) => one.event === event);
  return {
    ...stream,
    isReady: () => waitUntil("it is ready", () => of("ready").length === 1, limits),
    steps: () => of("status").map(({ id, data }) => [id, data["type"], data["taskId"]]),
    ends: () => of("status").filter(({ id }) => id !== ""),
    untilEnds: (count: number) =>
      waitUntil(
        `${count} ends`,
        () => of("status").filter(({ id }) => id !== "").length >= count,
        limits,
      ),
    until: (count: number) =>
      waitUntil(`${count} changes`, () => of("status").length >= count, limits),
  };
}

async function listEvents(key: string, after = 0): Promise<{ number: number }[]> {
  const url = `${bed.baseUrl}/api/v1/events?after=${after}&limit=100`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { events: { number: number }[] }).events;
}

test("one stream has the state of every open task and then each change; ends have their event number and are what the list says", async () => {
  const account = await bed.openAccount();
  const [one, two] = [await create(account), await create(account)];
  const stream = await follow(account.key);
  await stream.isReady();
  await bed.bind(one);
  await stream.until(3);
  await finishTask(bed.another, two, endings.FAILED);
  await stream.until(4);
  await finishTask(bed.another, one, endings.COMPLETED);
  await stream.until(5);
  const events = await listEvents(account.key);
  const [first, second] = events.map(({ number }) => String(number));
  expect(stream.steps()).toEqual([
    ["", "generation.pending", one],
    ["", "generation.pending", two],
    ["", "generation.processing", one],
    [first, "generation.failed", two],
    [second, "generation.completed", one],
  ]);
  expect(stream.ends().map(({ data }) => data)).toEqual(events);
});

test("an account's stream has nothing of another account, not even by an announcement that names it", async () => {
  const [one, other] = [await bed.openAccount(), await bed.openAccount()];
  const theirs = await create(other);
  const stream = await follow(one.key);
  const neighbour = await follow(other.key);
  await Promise.all([stream.isReady(), neighbour.isReady()]);
  bed.another.changes.announce(theirs, one.id); // a mistake of ours
  await bed.bind(theirs);
  await finishTask(bed.another, theirs, endings.COMPLETED);
  await neighbour.untilEnds(1);
  const own = await create(one);
  await finishTask(bed.another, own, endings.FAILED);
  await stream.untilEnds(1);
  expect(new Set(stream.steps().map(([, , taskId]) => taskId))).toEqual(new Set([own]));
  expect(stream.text.all).not.toContain(theirs);
});

test("a client that resumes gets every end since, once and in order, and without a number it begins now", async () => {
  const account = await bed.openAccount({ openTasksMax: 60 });
  const tasks = await Promise.all(Array.from({ length: 45 }, () => create(account)));
  for (const taskId of tasks) await finishTask(bed.another, taskId, endings.FAILED);
  const numbers = (await listEvents(account.key)).map(({ number }) => number);
  const fresh = await follow(account.key);
  await fresh.isReady();
  expect(fresh.events.map(({ id, event }) => [id, event])).toEqual([
    [String(numbers.at(-1)), "ready"],
  ]);
  for (const from of [{ query: "?after=0" }, { "last-event-id": "0" }]) {
    const whole = await follow(account.key, from);
    await whole.isReady();
    expect(whole.ends().map(({ id }) => Number(id))).toEqual(numbers);
  }
  const last = String(numbers[29]);
  const rest = await follow(account.key, { query: "?after=0", "last-event-id": last });
  await rest.isReady();
  expect(rest.ends().map(({ id }) => Number(id))).toEqual(numbers.slice(30));
});

test("api processes that are killed cost a client no end and give it none twice", async () => {
  const account = await bed.openAccount({ credits: 100_000, openTasksMax: 100 });
  const around = { dir: bed.storageDir, databaseUrl: bed.database.serviceUrl };
  const seen: string[] = [];
  let last = "";
  for (let kills = 0; kills < 3; kills++) {
    await using api = await startApiProcess(around);
    const from: Record<string, string> = last === "" ? {} : { "last-event-id": last };
    const stream = await follow(account.key, { base: api.url, ...from });
    if (kills === 0) await stream.isReady();
    const tasks = await Promise.all(Array.from({ length: 8 }, () => create(account)));
    const ending = (async () => {
      for (const taskId of tasks) await finishTask(bed.another, taskId, endings.FAILED);
    })();
    await stream.untilEnds(2 + kills);
    await api.kill();
    await stream.end;
    await ending;
    seen.push(...stream.ends().map(({ id }) => id));
    last = seen.at(-1) ?? "";
  }
  const stream = await follow(account.key, { "last-event-id": last });
  await stream.isReady();
  seen.push(...stream.ends().map(({ id }) => id));
  const numbers = (await listEvents(account.key)).map(({ number }) => String(number));
  expect(numbers).toHaveLength(24);
  expect(seen).toEqual(numbers);
});

test("a change that nobody announced is seen when the open tasks are read again", async () => {
  const account = await bed.openAccount();
  const taskId = await create(account);
  const { baseUrl, close } = await bed.startApi({}, {}, { pollAgainMs: 200 });
  onTestFinished(close);
  const stream = await follow(account.key, { base: baseUrl });
  await stream.isReady();
  await claimSubmit(bed.another.pool, claimOf(taskId));
  await bindJob(bed.another.pool, { taskId, jobId: `job of ${taskId}`, pollMs: 1_000 });
  await stream.until(2);
  expect(stream.steps().at(-1)).toEqual(["", "generation.processing", taskId]);
  const unheard = await create(account); // a new task is not announced either
  await stream.until(3);
  expect(stream.steps().at(-1)).toEqual(["", "generation.pending", unheard]);
});

test("a client that does not read is closed, and little of what it missed was read for it", async () => {
  const account = await bed.openAccount();
  const size = 20_000;
  await bed.database.sql(
    `insert into events (id, account_id, number, task_id, type, body)
     select (left(id_floor(now())::text, 24) || lpad(n::text, 12, '0'))::uuid, $1, n, $1, 'generation.failed',
            json_build_object('x', repeat('x', $2))
     from generate_series(1001, 3000) n`,
    [account.id, size],
  );
  const { baseUrl, close, subscriptions, eventsRead } = await bed.startApi(
    {},
    { unreadMsMax: 500 },
  );
  onTestFinished(close);
  const { port, hostname } = new URL(baseUrl);
  const client = connect(Number(port), hostname).pause();
  client.on("error", () => {});
  onTestFinished(() => {
    client.destroy();
  });
  client.write(
    `GET /api/v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${account.key}\r\n\r\n`,
  );
  await waitUntil("it is read for", () => eventsRead() > 0, limits);
  await bed.waiting(0, subscriptions);
  expect(eventsRead() * size).toBeLessThan(20_000_000); // of 40 MB; the rest lay in the sockets
});

test("a revoked key ends the account's stream without another change", async () => {
  const account = await bed.openAccount();
  const { key, keyId } = await createKey(bed.ctx.db, { accountId: account.id, name: "other" });
  const { baseUrl, close } = await bed.startApi({ checkKeysMs: 200 });
  onTestFinished(close);
  const stream = await follow(key, { base: baseUrl });
  await stream.isReady();
  await markKeyRevoked(bed.ctx.db, keyId);
  expect(await stream.end).toBe("ended");
  expect(stream.steps()).toEqual([]);
});

test("so many streams of an account, and a closed one makes room; other accounts are not concerned", async () => {
  const [one, other] = [await bed.openAccount(), await bed.openAccount()];
  const { baseUrl, close, subscriptions } = await bed.startApi({}, {}, { streamsPerAccountMax: 2 });
  onTestFinished(close);
  const streams = [
    await follow(one.key, { base: baseUrl }),
    await follow(one.key, { base: baseUrl }),
  ];
  const refused = await follow(one.key, { base: baseUrl });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await follow(other.key, { base: baseUrl })).status).toBe(200);
  streams[0]?.leave();
  await bed.waiting(2, subscriptions);
  expect((await follow(one.key, { base: baseUrl })).status).toBe(200);
});

test("a silent stream carries comments, and ends when the process is stopped", async () => {
  const account = await bed.openAccount();
  const { baseUrl, close } = await bed.startApi({}, { commentEveryMs: 50 });
  const stream = await follow(account.key, { base: baseUrl });
  await stream.isReady();
  await waitUntil("comments", () => stream.lines.comments >= 2, limits);
  await close();
  expect(await stream.end).toBe("ended");
});

test("HEAD and other types get the list, and a number that is none is refused", async () => {
  const account = await bed.openAccount();
  const ask = (query: string, method: string, accept: string) =>
    fetch(`${bed.baseUrl}/api/v1/events${query}`, {
      method,
      headers: { authorization: `Bearer ${account.key}`, accept },
    });
  const head = await ask("", "HEAD", "text/event-stream");
  expect([head.status, head.headers.get("content-type")]).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
  expect(await (await ask("", "GET", "*/*")).json()).toEqual({
    events: [],
    next: 0,
    hasMore: false,
  });
  expect((await ask("?after=x", "GET", "text/event-stream")).status).toBe(400);
});
