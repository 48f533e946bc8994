import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { claimOf } from "../../test/harness/claim-of.ts";
import { endings } from "../../test/harness/endings.ts";
import { type LiveBed, openLiveBed } from "../../test/harness/live-bed.ts";
import { newId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { claimSubmit } from "../tasks/submit-queries.ts";

let bed: LiveBed;
beforeAll(async () => {
  bed = await openLiveBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

/** Far from at once, far from the end of a wait of a minute. */
const soonMs = 20_000;

test("the ETag stays while the task does, saves the body, and is another after a change", async () => {
  const { taskId, ask } = await bed.newTask();
  const first = await ask();
  expect([first.status, first.json["status"]]).toEqual([200, "PENDING"]);
  expect(first.headers.get("cache-control")).toBe("private, no-cache");
  for (const named of [first.etag, `"other", W/${first.etag}`]) {
    const again = await ask({ "if-none-match": named });
    expect([again.status, again.etag, again.json]).toEqual([304, first.etag, {}]);
  }
  await finishTask(bed.another, taskId, endings.FAILED);
  const last = await ask({ "if-none-match": first.etag });
  expect([last.status, last.json["status"]]).toEqual([200, "FAILED"]);
  expect(last.etag).not.toBe(first.etag);
});

test("Prefer: wait answers at the next change, which another process makes", async () => {
  const { taskId, ask } = await bed.newTask();
  const asked = ask({ prefer: "wait=60" });
  await bed.waiting(1);
  await finishTask(bed.another, taskId, endings.COMPLETED);
  const answer = await asked;
  expect([answer.status, answer.json["status"]]).toEqual([200, "COMPLETED"]);
  expect(answer.applied).toBe("wait=60");
  expect(answer.ms).toBeLessThan(soonMs);
  expect(await ask()).toMatchObject({ etag: answer.etag, json: answer.json });
  await bed.waiting(0);
});

test("with If-None-Match a state other than the given one is answered at once", async () => {
  const { taskId, ask } = await bed.newTask();
  const { etag } = await ask();
  await bed.bind(taskId);
  const answer = await ask({ prefer: "wait=60", "if-none-match": etag });
  expect([answer.status, answer.json["status"]]).toEqual([200, "PROCESSING"]);
  expect(answer.ms).toBeLessThan(soonMs);
});

test("with If-None-Match the same state is a 304 after the wait, and without it the state again", async () => {
  const { ask } = await bed.newTask();
  const { etag, json } = await ask();
  const [same, plain, any] = await Promise.all([
    ask({ prefer: "wait=1", "if-none-match": etag }),
    ask({ prefer: "wait=1" }),
    ask({ prefer: "wait=1", "if-none-match": "*" }),
  ]);
  expect([same.status, same.etag, same.applied, same.json]).toEqual([304, etag, "wait=1", {}]);
  expect([plain.status, plain.etag, plain.json]).toEqual([200, etag, json]);
  expect(any.status).toBe(304);
  for (const { ms } of [same, plain]) expect(ms).toBeGreaterThanOrEqual(990);
});

test("at the end of the wait the answer is what the task is then, announced or not", async () => {
  const deaf = await bed.startApi({ pollAgainMs: 3_600_000 });
  onTestFinished(deaf.close);
  const { taskId, account } = await bed.newTask();
  const { ask } = bed.clientOf(account.key, taskId, "/api/v1/jobs/queryTask", deaf.baseUrl);
  const { etag } = await ask();
  const asked = ask({ prefer: "wait=2", "if-none-match": etag });
  await bed.waiting(1, deaf.subscriptions);
  await bed.database.sql("update tasks set status = 'PROCESSING' where id = $1", [taskId]);
  const answer = await asked;
  expect([answer.status, answer.json["status"]]).toEqual([200, "PROCESSING"]);
});

test("a task that is over is answered at once, however long one would wait", async () => {
  const { taskId, ask } = await bed.newTask();
  await finishTask(bed.another, taskId, endings.FAILED);
  const answer = await ask({ prefer: "wait=999" });
  expect([answer.status, answer.applied]).toEqual([200, "wait=60"]);
  const again = await ask({ prefer: "wait=60", "if-none-match": answer.etag });
  expect([again.status, again.json]).toEqual([304, {}]);
  expect(answer.ms + again.ms).toBeLessThan(soonMs);
});

test("a wait that makes no sense is no wait", async () => {
  const { ask } = await bed.newTask();
  for (const prefer of ["wait=soon", "wait=0", "wait=-5", "respond-async"]) {
    const answer = await ask({ prefer });
    expect([answer.status, answer.applied]).toEqual([200, null]);
  }
});

test("a stream sends the current state and every change, with the query's JSON and ETag, and ends with the task", async () => {
  const { taskId, ask, follow } = await bed.newTask();
  const plain = await ask();
  const stream = await follow();
  expect(stream.status).toBe(200);
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    ratelimit: expect.any(String),
  });
  await waitUntil("the first event", () => stream.events.length === 1, { timeoutMs: 300_000 });
  expect(stream.events[0]).toEqual({ id: plain.etag, event: "status", data: plain.json });
  expect(stream.lines.retry).toBe("1000");
  await bed.bind(taskId);
  await waitUntil("the second event", () => stream.events.length === 2, { timeoutMs: 300_000 });
  await finishTask(bed.another, taskId, endings.COMPLETED);
  expect(await stream.end).toBe("ended");
  expect(stream.statuses()).toEqual(["PENDING", "PROCESSING", "COMPLETED"]);
  const { etag, json } = await ask();
  expect(stream.events[2]).toEqual({ id: etag, event: "status", data: json });
  await bed.waiting(0);
});

test("a client that comes again with Last-Event-ID misses no state and sees none twice", async () => {
  const { taskId, follow } = await bed.newTask();
  const first = await follow();
  await waitUntil("the first event", () => first.events.length === 1, { timeoutMs: 300_000 });
  const known = first.events[0]?.id ?? "";
  first.leave();
  await bed.waiting(0);
  const same = await follow({ "last-event-id": known });
  await bed.waiting(1);
  await bed.bind(taskId);
  await waitUntil("the next event", () => same.events.length === 1, { timeoutMs: 300_000 });
  expect(same.statuses()).toEqual(["PROCESSING"]);
  same.leave();
  await bed.waiting(0);
  await finishTask(bed.another, taskId, endings.FAILED);
  const late = await follow({ "last-event-id": same.events[0]?.id ?? "" });
  expect(await late.end).toBe("ended");
  expect(late.statuses()).toEqual(["FAILED"]);
  const over = await follow({ "last-event-id": (late.events[0]?.id ?? "").replaceAll('"', "") });
  expect([over.status, await over.end, over.events]).toEqual([204, "ended", []]);
});

test("what is refused is refused before anybody waits, and in JSON", async () => {
  const { account, taskId } = await bed.newTask();
  const stranger = await bed.openAccount();
  const cases = [
    [stranger.key, taskId, "/api/v1/jobs/queryTask", 403, "access_denied"],
    [account.key, newId(0), "/api/v1/jobs/queryTask", 404, "task_not_found"],
    [account.key, "no-id", "/api/v1/jobs/queryTask", 404, "task_not_found"],
    [account.key, taskId, "/api/v1/upscale/query", 404, "task_not_found"],
    [account.key, "", "/api/v1/jobs/queryTask", 400, "invalid_parameters"],
    ["nobody", taskId, "/api/v1/jobs/queryTask", 401, "unauthorized"],
  ] as const;
  for (const [key, id, path, status, code] of cases)
    for (const headers of [
      { prefer: "wait=60" },
      { prefer: "wait=60", "if-none-match": '"x"' },
      { accept: "text/event-stream" },
    ]) {
      const answer = await bed.clientOf(key, id, path).ask(headers);
      expect([answer.status, answer.json["code"]]).toEqual([status, code]);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(answer.ms).toBeLessThan(soonMs);
    }
  await bed.waiting(0);
});

test("a client that is gone is waited for no longer", async () => {
  const { follow, account, taskId } = await bed.newTask();
  const stream = await follow();
  const leaving = new AbortController();
  const url = `${bed.baseUrl}/api/v1/jobs/queryTask?taskId=${taskId}`;
  const headers = { authorization: `Bearer ${account.key}`, prefer: "wait=60" };
  const polling = fetch(url, { headers, signal: leaving.signal }).catch(() => "left");
  await bed.waiting(2);
  stream.leave();
  leaving.abort();
  expect(await polling).toBe("left");
  await bed.waiting(0);
});

test("a silent stream has a comment now and then", async () => {
  const chatty = await bed.startApi({}, { commentEveryMs: 50 });
  onTestFinished(chatty.close);
  const { account, taskId } = await bed.newTask();
  const client = bed.clientOf(account.key, taskId, "/api/v1/jobs/queryTask", chatty.baseUrl);
  const stream = await client.follow();
  await expect.poll(() => stream.lines.comments).toBeGreaterThan(2);
  expect(stream.text.all).toMatch(/\n\n:\n\n/);
  stream.leave();
});

test("a stream that lasts long is ended to come again", async () => {
  const short = await bed.startApi({}, { commentEveryMs: 100, streamMsMax: 500 });
  onTestFinished(short.close);
  const { account, taskId } = await bed.newTask();
  const client = bed.clientOf(account.key, taskId, "/api/v1/jobs/queryTask", short.baseUrl);
  const stream = await client.follow();
  expect(await stream.end).toBe("ended");
  expect(stream.statuses()).toEqual(["PENDING"]);
});

test("when no more may wait, polls are answered at once and streams are a 503 or 429 that says when", async () => {
  const full = await bed.startApi({ clientsMax: 1, clientsPerAccountMax: 1 });
  onTestFinished(full.close);
  const mine = await bed.newTask();
  const others = await bed.newTask();
  const path = "/api/v1/jobs/queryTask";
  const client = bed.clientOf(mine.account.key, mine.taskId, path, full.baseUrl);
  const other = bed.clientOf(others.account.key, others.taskId, path, full.baseUrl);
  await client.follow();
  await bed.waiting(1, full.subscriptions);
  const polled = await other.ask({ prefer: "wait=60" });
  expect([polled.status, polled.applied]).toEqual([200, null]);
  expect(polled.ms).toBeLessThan(soonMs);
  const refused = await other.ask({ accept: "text/event-stream" });
  expect([refused.status, refused.json["code"]]).toEqual([503, "streams_full"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const foreign = bed.clientOf(others.account.key, mine.taskId, path, full.baseUrl);
  expect((await foreign.ask({ accept: "text/event-stream" })).status).toBe(403);

  const narrow = await bed.startApi({ clientsPerAccountMax: 1 });
  onTestFinished(narrow.close);
  const again = bed.clientOf(mine.account.key, mine.taskId, path, narrow.baseUrl);
  await again.follow();
  await bed.waiting(1, narrow.subscriptions);
  const tooMany = await again.ask({ accept: "text/event-stream" });
  expect([tooMany.status, tooMany.json["code"]]).toEqual([429, "too_many_streams"]);
});

test("a stopping process answers waiting clients with the current state, and ends streams", async () => {
  const leaving = await bed.startApi();
  const { account, taskId } = await bed.newTask();
  const path = "/api/v1/jobs/queryTask";
  const { ask, follow } = bed.clientOf(account.key, taskId, path, leaving.baseUrl);
  const stream = await follow();
  const { etag, json } = await ask();
  const polls = [
    ask({ prefer: "wait=60" }),
    ask({ prefer: "wait=60", "if-none-match": etag }),
  ] as const;
  await bed.waiting(3, leaving.subscriptions);
  await leaving.close(); // returns when every connection is closed
  const [plain, known] = await Promise.all(polls);
  expect([plain.status, plain.json]).toEqual([200, json]);
  expect(known.status).toBe(304);
  expect(plain.headers.get("connection")).toBe("close");
  expect(await stream.end).toBe("ended");
  expect(stream.statuses()).toEqual(["PENDING"]);
  expect(Math.max(plain.ms, known.ms)).toBeLessThan(soonMs);
});

test("an upscale is followed alike, with its progress", async () => {
  const { account, taskId, ask, follow } = await bed.newUpscale();
  const stream = await follow();
  await waitUntil("the first event", () => stream.events.length === 1, { timeoutMs: 300_000 });
  await bed.database.sql(
    `insert into upscales (task_id, account_id, source_key, owns_source, plan)
     select id, account_id, 'x', false, '{}' from tasks where id = $1`,
    [taskId],
  );
  await bed.database.sql(
    `insert into upscale_segments (task_id, number, plan, frames, frames_done)
     values ($1, 0, '{}', 100, 50), ($1, 1, '{}', 100, 0)`,
    [taskId],
  );
  await claimSubmit(bed.another.pool, { ...claimOf(taskId), isAtWork: true });
  bed.another.changes.announce(taskId, account.id);
  await waitUntil("it is at work", () => stream.events.length === 2, { timeoutMs: 300_000 });
  const { etag, json } = await ask();
  expect(stream.events[1]).toEqual({ id: etag, event: "status", data: json });
  expect(json).toMatchObject({ status: "processing", progress: 24 });
  const asked = ask({ prefer: "wait=60", "if-none-match": etag });
  await bed.waiting(2);
  await bed.database.sql("update upscale_segments set frames_done = 100 where task_id = $1", [
    taskId,
  ]);
  bed.another.changes.announce(taskId, account.id);
  expect((await asked).json).toMatchObject({ status: "processing", progress: 99 });
  await finishTask(bed.another, taskId, { kind: "failed", code: "task_expired" });
  expect(await stream.end).toBe("ended");
  expect(stream.events.map(({ data }) => [data["status"], data["progress"]])).toEqual([
    ["validating", 0],
    ["processing", 24],
    ["processing", 99],
    ["failed", 0],
  ]);
});

test("HEAD neither waits nor follows", async () => {
  const { ask } = await bed.newTask();
  for (const headers of [{ accept: "text/event-stream" }, { prefer: "wait=60" }]) {
    const answer = await ask(headers, "HEAD");
    expect([answer.status, answer.json]).toEqual([200, {}]);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.ms).toBeLessThan(soonMs);
  }
});
