import { randomUUID } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { clearOldRequests } from "../accounts/requests/queries.ts";
import { openConnections } from "../db/connections.ts";
import { openDatabase } from "../db/database.ts";
import { type AccountId, type KeyId, newId } from "../ids.ts";
import { buildApi } from "./build-api.ts";
import { createRequestLog } from "./log-requests.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed();
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

interface Page {
  items: { requestId: string; route: string; status: number; durationMs: number }[];
  nextCursor: string | null;
}

/** Sends requests one after the other, and waits until they are in the log. */
async function ask(headers: Record<string, string>, ...urls: string[]) {
  const answers = [];
  for (const url of urls) answers.push(await api.inject({ url, headers }));
  const requestIds = answers.map((answer) => String(answer.headers["x-request-id"]));
  const saved = "select from logged_requests where request_id = any ($1)";
  const areSaved = async () => (await bed.database.sql(saved, [requestIds])).length === urls.length;
  await waitUntil("all are logged", areSaved, { timeoutMs: 120_000 });
  return answers;
}

async function listRequests(headers: Record<string, string>, query: string): Promise<Page> {
  const [answer] = await ask(headers, `/api/v1/account/requests?${query}`);
  expect(answer?.statusCode, answer?.payload).toBe(200);
  return answer?.json<Page>() ?? { items: [], nextCursor: null };
}

test("a request is found by its id, with route, status, code and sender, and nothing of its URL; by its own account alone", async () => {
  const { id: accountId, key, keyId } = await bed.openAccount();
  const person = await openPerson(bed, { role: "viewer", accountId });
  const headers = { authorization: `Bearer ${key}` };
  const taskId = randomUUID();
  const [refused, answered] = await ask(
    headers,
    `/api/v1/jobs/queryTask?taskId=${taskId}`,
    "/api/v1/models",
  );
  await ask(person.headers, "/api/v1/account/credits");
  const requestId = String(refused?.headers["x-request-id"]);
  const found = await listRequests(person.headers, `requestId=${requestId}`);
  expect(found).toEqual({
    items: [
      {
        requestId,
        time: expect.any(Number),
        method: "GET",
        durationMs: expect.any(Number),
        route: "/api/v1/jobs/queryTask",
        status: 404,
        errorCode: "task_not_found",
        actor: { kind: "key", id: keyId, name: "test" },
      },
    ],
    nextCursor: null,
  });
  expect(JSON.stringify(found)).not.toContain(taskId);
  const all = await listRequests(headers, "status=2xx");
  expect(all.items).toContainEqual(
    expect.objectContaining({
      route: "/api/v1/account/credits",
      actor: { kind: "person", id: person.personId, name: "Test" },
    }),
  );
  expect(all.items).toContainEqual(
    expect.objectContaining({ requestId: answered?.headers["x-request-id"], errorCode: null }),
  );
  expect(all.items.map(({ status }) => status)).not.toContain(404);
  const stranger = await bed.openAccount();
  const theirs = { authorization: `Bearer ${stranger.key}` };
  expect(await listRequests(theirs, `requestId=${requestId}`)).toEqual({
    items: [],
    nextCursor: null,
  });
});

test("pages lead through all requests once, newest first, within a range of times and by status", async () => {
  const { key } = await bed.openAccount();
  const headers = { authorization: `Bearer ${key}` };
  const before = new Date(Date.now() - 1_000).toISOString();
  const urls = Array.from({ length: 5 }, () => "/api/v1/account/credits");
  await ask(headers, ...urls, "/api/v1/jobs/queryTask?taskId=none");
  const after = new Date(Date.now() + 1_000).toISOString();
  const seen: Page["items"] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = `limit=2&from=${before}&to=${after}${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const page: Page = await listRequests(headers, query);
    seen.push(...page.items);
    cursor = page.nextCursor;
  }
  const first = seen.filter(({ route }) => route !== "/api/v1/account/requests");
  expect(first.map(({ status }) => status)).toEqual([404, 200, 200, 200, 200, 200]);
  expect(new Set(seen.map(({ requestId }) => requestId)).size).toBe(seen.length);
  expect((await listRequests(headers, "status=404")).items).toHaveLength(1);
  expect((await listRequests(headers, `to=${before}`)).items).toEqual([]);
  const [wrong] = await ask(headers, "/api/v1/account/requests?status=6xx");
  expect(wrong?.json()).toMatchObject({ code: "invalid_parameters", param: "status" });
});

const request = (accountId: AccountId) =>
  ({
    id: randomUUID(),
    method: "GET",
    routeOptions: { url: "/api/v1/models" },
    caller: { id: accountId },
    actor: { kind: "key", keyId: newId<KeyId>(0) },
  }) as unknown as FastifyRequest;
const reply = (statusCode: number) => ({ statusCode, elapsedTime: 1 }) as unknown as FastifyReply;

test("what is noted has a bound per account and in all, where failures have room longer, and the rest is counted", async () => {
  const reported: object[] = [];
  const log = { ...bed.ctx.log, warn: (line: object) => reported.push(line) } as typeof bed.ctx.log;
  const limits = { waitMs: 3_600_000, ofAccountMax: 3, waitingMax: 10 };
  const requestLog = createRequestLog({ db: bed.ctx.db, log }, limits);
  const [busy, calm, late] = [0, 0, 0].map(() => newId<AccountId>(0)) as [
    AccountId,
    AccountId,
    AccountId,
  ];
  for (let n = 0; n < 20; n++) requestLog.note(request(busy), reply(200));
  for (let n = 0; n < 3; n++) requestLog.note(request(calm), reply(200));
  requestLog.note(request(late), reply(500));
  await requestLog.close();
  const rows = await bed.database.sql<{ account_id: string; count: number }>(
    "select account_id, count(*)::int from logged_requests where account_id = any ($1) group by 1",
    [[busy, calm, late]],
  );
  const countOf = (id: AccountId) => rows.find(({ account_id }) => account_id === id)?.count;
  expect([busy, calm, late].map(countOf)).toEqual([3, 2, 1]);
  expect(reported).toEqual([{ event: "request_log.left_out", requests: 18 }]);
});

test("a database that is away costs lines of the log and no request", async () => {
  const pool = openConnections("postgres://nobody@127.0.0.1:9/none", 1, "away");
  const reported: object[] = [];
  const log = { ...bed.ctx.log, warn: (line: object) => reported.push(line) } as typeof bed.ctx.log;
  const requestLog = createRequestLog({ db: openDatabase(pool), log });
  requestLog.note(request(newId<AccountId>(0)), reply(200));
  await requestLog.close();
  expect(reported).toEqual([expect.objectContaining({ event: "request_log.lost" })]);
  await pool.end();
});

test("the partition of the day to come is emptied, and those of the last seven days stay", async () => {
  const accountId = newId<AccountId>(0);
  const insert = `insert into logged_requests
    select gen_random_uuid(), (floor(extract(epoch from now()) / 86400)::bigint - days + 8) % 8, $1,
           gen_random_uuid(), null, 'GET', '/', 200, null, gen_random_uuid(), 1
    from generate_series(0, 7) as days`;
  await bed.database.sql(insert, [accountId]);
  expect(await clearOldRequests(bed.ctx.db)).toBe(true);
  expect(await clearOldRequests(bed.ctx.db)).toBe(false);
  const rows = await bed.database.sql(
    `select (floor(extract(epoch from now()) / 86400)::bigint - slot + 8) % 8 as days
     from logged_requests where account_id = $1 order by 1`,
    [accountId],
  );
  expect(rows.map(({ days }) => Number(days))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
