import { afterAll, beforeAll, expect, test } from "vitest";
import { addVendor } from "../../test/harness/add-vendor.ts";
import { type AdminBed, admin, openAdminBed } from "../../test/harness/admin-bed.ts";
import { createTask } from "../generation/create-task.ts";
import { type AccountId, newId, type TaskId } from "../ids.ts";
import { makeLedgerCheck } from "./ledger/check-ledger.ts";

let opened: AdminBed;
let bed: AdminBed["bed"];
let call: AdminBed["call"];
let operator: AdminBed["operator"];
let support: AdminBed["support"];
beforeAll(async () => {
  opened = await openAdminBed();
  ({ bed, call, operator, support } = opened);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

const reason = { reason: "asked by mail" };

test("a task that an operator ends is failed, refunded and told why not; a second time is refused", async () => {
  const account = await bed.openAccount({ credits: 1_000 });
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  const byAccount = await call(support, "GET", `${admin}/tasks?accountId=${account.id}`);
  expect(byAccount.body.items).toMatchObject([{ taskId, running: { vendorAccount: "none" } }]);
  expect((await call(operator, "POST", `${admin}/tasks/${taskId}/fail`, reason)).status).toBe(200);
  const again = await call(operator, "POST", `${admin}/tasks/${taskId}/fail`, reason);
  expect(again).toMatchObject({ status: 409, body: { code: "task_over" } });
  const byId = await call(support, "GET", `${admin}/tasks?taskId=${taskId}`);
  expect(byId.body.items).toMatchObject([
    { status: "FAILED", errorCode: "ended_by_operator", running: null },
  ]);
  const shown = await call(support, "GET", `${admin}/accounts/${account.id}`);
  expect(shown.body).toMatchObject({ credits: 1_000, availableCredits: 1_000 });
});

test("a vendor's job is found while it runs, and by its submit when it has ended", async () => {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql(
    `insert into submissions (task_id, started_at, vendor_account, outcome, vendor_job_id)
     values ($1, now(), 'ark', 'accepted', 'job 7')`,
    [taskId],
  );
  await bed.database.sql("update submissions set detail = 'raw words' where task_id = $1", [
    taskId,
  ]);
  const timeline = await call(support, "GET", `${admin}/tasks/${taskId}/timeline`);
  expect(timeline.status).toBe(200);
  expect(JSON.stringify(timeline.body)).toMatch(/raw words/);
  const find = () => call(support, "GET", `${admin}/tasks?vendorJobId=job%207`);
  expect((await find()).body).toMatchObject({ items: [{ taskId }], nextCursor: null });
  await call(operator, "POST", `${admin}/tasks/${taskId}/fail`, reason);
  expect((await find()).body.items).toMatchObject([
    { taskId, status: "FAILED", running: null, vendorAccount: "ark" },
  ]);
  const missing = await call(support, "GET", `${admin}/tasks?vendorJobId=job%208`);
  expect(missing.body).toEqual({ items: [], nextCursor: null });
  expect((await call(support, "GET", `${admin}/tasks`)).status).toBe(400);
});

test("a ledger check is made by a worker, one at a time, and its result can be read", async () => {
  await bed.database.sql("update ledger_checks set finished_at = now()");
  const started = await call(operator, "POST", `${admin}/ledger-checks`);
  const second = await call(operator, "POST", `${admin}/ledger-checks`);
  expect(second).toMatchObject({ status: 409, body: { code: "ledger_check_running" } });
  await makeLedgerCheck(bed.ctx, new AbortController().signal);
  const { items } = (await call(support, "GET", `${admin}/ledger-checks`)).body;
  expect(items[0]).toMatchObject({
    checkId: started.body.checkId,
    breaches: [],
    failure: null,
    transfers: expect.any(Number),
    finishedAt: expect.any(Number),
  });
});

test("hosts whose callbacks fail are counted, with what was given up in a day", async () => {
  const fail = async (accountId: AccountId, host: string, attempts: number) =>
    bed.database.sql(
      `insert into open_deliveries (delivery_id, account_id, host, attempts, next_attempt_at)
       values (overlay(gen_random_uuid()::text placing '7' from 15 for 1)::uuid, $1, $2, $3, now())`,
      [accountId, host, attempts],
    );
  const [one, two] = [await bed.openAccount(), await bed.openAccount()];
  await fail(one.id, "down.example", 3);
  await fail(two.id, "down.example", 2);
  await fail(two.id, "well.example", 1);
  await giveUp(two.id, "https://down.example:8443/hook?a=b", "1 minute");
  await giveUp(two.id, "https://gone.example/hook", "23 hours");
  await giveUp(two.id, "https://before.example/hook", "25 hours");
  const { body } = await call(support, "GET", `${admin}/deliveries/hosts`);
  expect(body).toMatchObject({
    isComplete: true,
    items: [
      { host: "down.example", failing: 2, givenUp: 0, accounts: 2 },
      { host: "down.example:8443", failing: 0, givenUp: 1, accounts: 1 },
      { host: "gone.example", failing: 0, givenUp: 1, accounts: 1 },
    ],
  });
});

async function giveUp(accountId: AccountId, url: string, ago: string) {
  await bed.database.sql(
    `insert into deliveries (id, account_id, url, body, created_at, given_up_at)
     select overlay(id_floor(at)::text placing '7' from 15 for 1)::uuid, $1, $2, '{}', at - interval '1 minute', at
     from (select now() - $3::interval as at) t`,
    [accountId, url, ago],
  );
}

test("the queues count endpoints that fail, a paused one for a day and each in the list, and deliveries that were given up in a day", async () => {
  await bed.database.sql("delete from deliveries");
  const { id } = await bed.openAccount();
  const read = async () => (await call(support, "GET", `${admin}/system`)).body.queues;
  expect(await read()).toMatchObject({ failingEndpoints: 0, deliveriesGivenUp: 0 });
  await giveUp(id, "https://down.example/hook", "3 hours");
  await giveUp(id, "https://down.example/hook", "25 hours");
  for (const [failures, reason, hours] of [
    ...([
      [504, null, 0],
      [503, "failing", 1],
      [502, "failing", 25],
      [501, "owner", 0],
      [0, null, 0],
    ] as const),
  ])
    await bed.database.sql(
      `with e as (
         insert into webhook_endpoints (id, account_id, url, description, secret, paused_at, pause_reason)
         values (gen_random_uuid(), $1, 'https://down.example', '', '', case when $3::text is not null then now() end, $3)
         returning id)
       insert into endpoint_health (endpoint_id, status, reason, since, failures, failing_since, last_attempt_at)
       select id, 401, '401', now(), $2, case when $2 > 0 then now() - $2 * interval '1 hour' end,
              now() - $4 * interval '1 hour' from e`,
      [id, failures, reason, hours],
    );
  expect(await read()).toMatchObject({ failingEndpoints: 2, deliveriesGivenUp: 1 });
  const { endpoints } = (await call(support, "GET", `${admin}/deliveries/hosts`)).body;
  expect(endpoints).toMatchObject([
    { accountId: id, host: "down.example", failures: 504, isPaused: false, lastStatus: 401 },
    { accountId: id, host: "down.example", failures: 503, isPaused: true, lastReason: "401" },
  ]);
});

test("the queues show how many tasks are in flight and how old the oldest is", async () => {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await bed.database.sql(
    "update open_tasks set deadline_at = now() - interval '1 hour' where task_id = $1",
    [taskId],
  );
  const { queues } = (await call(support, "GET", `${admin}/system`)).body;
  expect(queues).toMatchObject({ overdueTasks: 1, parkedRows: 0 });
  expect(queues.openTasks.map(({ age }: { age: string }) => age)[0]).toBe("under_1m");
  expect(queues.openTasks[0].count).toBeGreaterThanOrEqual(1);
});

test("a vendor account shows how long its submits took, and says when it cannot be reached", async () => {
  const account = await bed.openAccount();
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const { taskId } = await createTask(bed.ctx, account, body, null);
  await addVendor(bed, "far");
  await bed.database.sql(
    `insert into submissions (task_id, started_at, accepted_at, vendor_account, outcome)
     values ($1, now() - interval '2 seconds', now(), 'far', 'accepted')`,
    [taskId],
  );
  const { items } = (await call(support, "GET", `${admin}/vendor-accounts`)).body;
  expect(items).toMatchObject([{ name: "far", submitMs: { median: 2_000, p95: 2_000 } }]);
  const tested = await call(operator, "POST", `${admin}/vendor-accounts/far/test`);
  expect(tested.body).toMatchObject({ works: false, ms: expect.any(Number) });
  expect(tested.body.result).toMatch(/cannot be reached/);
  const missing = await call(operator, "POST", `${admin}/vendor-accounts/none/test`);
  expect(missing).toMatchObject({ status: 404, body: { code: "vendor_account_not_found" } });
});

test("whoever creates an account can own it at once, and staff see its people", async () => {
  const created = await call(operator, "POST", `${admin}/accounts`, { name: "Ada", asOwner: true });
  const shown = await call(support, "GET", `${admin}/accounts/${created.body.accountId}`);
  expect(shown.body.members).toMatchObject([{ personId: operator.personId, role: "owner" }]);
  const me = await call(operator, "GET", "/api/v1/me");
  expect(me.body.accounts).toMatchObject([{ accountId: created.body.accountId, role: "owner" }]);
  const invited = { accountId: created.body.accountId, email: "eve@example.com", role: "viewer" };
  await call(operator, "POST", `${admin}/accounts/invitations`, invited);
  const again = await call(support, "GET", `${admin}/accounts/${created.body.accountId}`);
  expect(again.body.invitations).toMatchObject([{ email: "eve@example.com", role: "viewer" }]);
});

test("the segments of an upscale say how far they are, and why one was given up", async () => {
  const { id } = await bed.openAccount();
  const taskId = newId<TaskId>(0);
  await bed.database.sql(
    `with task as (
       insert into tasks (id, account_id, kind, model, request, price_schedule, credits, created_at)
       values ($1, $2, 'upscale', 'upscale', '{}', 'A', 15, now()) returning id, account_id
     ), video as (
       insert into upscales (task_id, account_id, source_key, owns_source, plan)
       select id, account_id, 'x', false, '{}' from task
     )
     insert into upscale_segments (task_id, number, plan, frames, frames_done, failure)
     values ($1, 0, '{}', 100, 30, null), ($1, 1, '{}', 100, 0, 'the vendor is closed')`,
    [taskId, id],
  );
  const segments = (of: TaskId) => call(support, "GET", `${admin}/tasks/${of}/segments`);
  expect((await segments(taskId)).body.items).toMatchObject([
    { number: 0, framesDone: 30, frames: 100, failure: null },
    { number: 1, framesDone: 0, failure: "the vendor is closed" },
  ]);
  expect((await segments(newId<TaskId>(0))).status).toBe(404);
});

test("an API key that an operator creates is the account's, which is not told by whom, and ends when it is revoked", async () => {
  const { id } = await bed.openAccount();
  const url = `${admin}/accounts/${id}/keys`;
  const wanted = { name: "first", scopes: ["account"], creditsMax: 500 };
  const made = await call(operator, "POST", url, wanted);
  expect(made.body).toMatchObject({ ...wanted, createdBy: { kind: "operator", id: null } });
  const key = { headers: { authorization: `Bearer ${made.body.key}` } };
  expect((await call(key, "GET", "/api/v1/account/credits")).status).toBe(200);
  expect(JSON.stringify((await call(support, "GET", url)).body)).not.toContain(made.body.key);
  expect((await call(operator, "DELETE", `${url}/${made.body.keyId}`)).status).toBe(200);
  expect((await call(key, "GET", "/api/v1/account/credits")).status).toBe(401);
  const nobody = `${admin}/accounts/${newId<AccountId>(0)}/keys`;
  expect((await call(operator, "POST", nobody, wanted)).status).toBe(404);
});

test("callbacks of an account are retried for 0 to 72 hours, as operators say", async () => {
  const { id } = await bed.openAccount();
  const url = `${admin}/accounts/${id}`;
  const set = (webhookTailHours: number) => call(operator, "PATCH", url, { webhookTailHours });
  expect((await set(72)).status).toBe(200);
  for (const hours of [73, -1, 1.5]) expect((await set(hours)).status, `${hours}`).toBe(400);
  expect((await call(operator, "GET", url)).body.webhookTailHours).toBe(72);
});
