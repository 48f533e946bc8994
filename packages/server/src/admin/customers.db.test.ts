import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminBed, admin, openAdminBed } from "../../test/harness/admin-bed.ts";
import { openPerson } from "../../test/harness/open-person.ts";
import { fillQueue } from "../../test/harness/review-bed.ts";
import { switchModel } from "../switches/set-switch.ts";

let opened: AdminBed;
let bed: AdminBed["bed"];
let call: AdminBed["call"];
let operator: AdminBed["operator"];
let other: AdminBed["other"];
let support: AdminBed["support"];
beforeAll(async () => {
  opened = await openAdminBed();
  ({ bed, call, operator, other, support } = opened);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

const root = { kind: "command", user: "root", address: null, requestId: null } as const;
const reason = { reason: "asked by mail" };

test("a suspended account reads and is refused all else, with a key and in person", async () => {
  const account = await bed.openAccount();
  const key = { headers: { authorization: `Bearer ${account.key}` } };
  const owner = await openPerson(bed, { role: "owner", accountId: account.id });
  await call(operator, "POST", `${admin}/accounts/${account.id}/suspend`, reason);
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const upload = { url: "https://example.com/a.png", type: "IMAGE" };
  for (const who of [key, owner]) {
    expect((await call(who, "GET", "/api/v1/account/credits")).status).toBe(200);
    const query = await call(who, "POST", "/api/v1/jobs/query", { taskIds: [crypto.randomUUID()] });
    expect(query.body.code).not.toBe("account_suspended");
    for (const [path, payload] of [
      ["/api/v1/jobs/createTask", body],
      ["/api/v1/jobs/quote", body],
      ["/api/v1/assets/upload", upload],
    ] as const)
      expect(await call(who, "POST", path, payload)).toMatchObject({
        status: 403,
        body: { code: "account_suspended" },
      });
  }
  await call(operator, "POST", `${admin}/accounts/${account.id}/resume`, reason);
  expect((await call(key, "POST", "/api/v1/jobs/createTask", body)).status).toBe(200);
});

test("a model that is switched off is refused, priced for nobody and not listed; a repeated request is answered", async () => {
  const account = await bed.openAccount();
  const key = { headers: { authorization: `Bearer ${account.key}` } };
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const repeated = { headers: { ...key.headers, "idempotency-key": "1" } };
  const first = await call(repeated, "POST", "/api/v1/jobs/createTask", body);
  await switchModel(bed.ctx, root, "sd2", { message: "Back at noon." });
  await bed.ctx.switches.refresh();
  for (const path of ["/api/v1/jobs/createTask", "/api/v1/jobs/quote"]) {
    const refused = await call(key, "POST", path, body);
    expect(refused).toMatchObject({ status: 403, body: { code: "model_switched_off" } });
    expect(refused.body.message).toContain("Back at noon.");
  }
  expect(await call(repeated, "POST", "/api/v1/jobs/createTask", body)).toEqual(first);
  const namesOf = async () => {
    const { models } = (await call(key, "GET", "/api/v1/models")).body;
    return (models as { model: string }[]).map(({ model }) => model);
  };
  expect(await namesOf()).not.toContain("sd2");
  await switchModel(bed.ctx, root, "sd2", null);
  await bed.ctx.switches.refresh();
  expect(await namesOf()).toContain("sd2");
});

test("everybody reads the banner, until its time is over", async () => {
  const text = { en: "Hello", zh: "你好" };
  const show = (until?: number) =>
    call(operator, "PUT", `${admin}/switches/banner`, {
      severity: "warning",
      text,
      until,
    });
  const read = async () => {
    await bed.ctx.switches.refresh();
    return (await call({ headers: {} }, "GET", "/api/v1/banner")).body;
  };
  await show();
  expect(await read()).toEqual({ banner: { severity: "warning", text, until: null } });
  await show(Date.now() - 1);
  expect(await read()).toEqual({ banner: null });
});

test("a grant through the API waits for another operator, with names and once by its idempotency key", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const body = { accountId: id, kind: "grant", credits: 2_000, reason: "contract" };
  const once = { headers: { ...operator.headers, "idempotency-key": "k" } };
  const first = await call(once, "POST", `${admin}/grants`, body);
  expect(first).toMatchObject({ status: 200, body: { status: "pending" } });
  expect(await call(once, "POST", `${admin}/grants`, body)).toEqual(first);
  const { grantId } = first.body;
  const approve = `${admin}/grants/${grantId}/approve`;
  expect((await call(operator, "POST", approve, {})).body.code).toBe("second_person_needed");
  expect((await call(other, "POST", approve, {})).status).toBe(200);
  const { items } = (await call(support, "GET", `${admin}/grants?accountId=${id}`)).body;
  expect(items).toMatchObject([
    {
      grantId,
      status: "posted",
      credits: 2_000,
      askedBy: { kind: "person", id: operator.personId, name: "Test" },
      decidedBy: { id: other.personId },
    },
  ]);
  const account = await call(support, "GET", `${admin}/accounts/${id}`);
  expect(account.body).toMatchObject({ credits: 2_000, state: "active" });
  const negative = { ...body, credits: -5 };
  expect((await call(operator, "POST", `${admin}/grants`, negative)).status).toBe(400);
});

test("a grant takes the time at which it expires, which has to be in the future; an adjustment takes none", async () => {
  const { id } = await bed.openAccount({ credits: 0 });
  const expiresAt = Date.now() + 60 * 60_000;
  const ask = (more: object) =>
    call(operator, "POST", `${admin}/grants`, {
      accountId: id,
      kind: "grant",
      credits: 5,
      reason: "trial",
      ...more,
    });
  expect((await ask({ expiresAt })).body).toMatchObject({ status: "posted" });
  const { items } = (await call(operator, "GET", `${admin}/grants?accountId=${id}`)).body;
  expect(items).toMatchObject([{ credits: 5, creditsExpireAt: expiresAt, expiresAt: null }]);
  for (const wrong of [
    { expiresAt: Date.now() - 1 },
    { expiresAt: 0 },
    { expiresAt: 1e18 },
    { expiresAt, kind: "adjust" },
  ]) {
    const refused = await ask(wrong);
    expect([refused.status, refused.body.code], JSON.stringify(wrong)).toEqual([
      400,
      "invalid_parameters",
    ]);
  }
});

test("owners read what was done to their account, and not by which operator or why; operators read all", async () => {
  const owner = await openPerson(bed, { role: "owner" });
  const viewer = await openPerson(bed, { role: "viewer", accountId: owner.accountId });
  const url = `${admin}/accounts/${owner.accountId}`;
  await call(operator, "POST", `${url}/suspend`, { reason: "secret suspicion" });
  await call(operator, "POST", `${url}/notes`, { note: "secret note" });
  await call(operator, "POST", `${url}/resume`, { reason: "all well" });
  const mine = await call(owner, "GET", "/api/v1/account/audit");
  expect(mine.status).toBe(200);
  expect(mine.body.items).toMatchObject([
    { action: "account.resume", actor: { kind: "operator", id: null, name: null }, address: null },
    { action: "account.suspend", after: { isSuspended: true } },
  ]);
  expect(JSON.stringify(mine.body)).not.toMatch(/secret|all well/);
  expect((await call(viewer, "GET", "/api/v1/account/audit")).status).toBe(403);
  const all = await call(support, "GET", `${admin}/audit?accountId=${owner.accountId}`);
  expect(all.body.items).toMatchObject([
    { reason: "all well", actor: { kind: "person", id: operator.personId, name: "Test" } },
    { reason: "secret suspicion", actor: { email: operator.email } },
  ]);
  const byAction = `${admin}/audit?personId=${operator.personId}&action=account.no&limit=1`;
  expect((await call(support, "GET", byAction)).body.items).toMatchObject([
    { action: "account.note", object: owner.accountId },
  ]);
});

test("the audit is read page by page without a gap, also by action", async () => {
  const { id } = await bed.openAccount();
  const url = `${admin}/accounts/${id}`;
  for (const openTasksMax of [4, 5, 6, 7, 8]) {
    await call(operator, "PATCH", url, { openTasksMax });
    await call(operator, "POST", `${admin}/grants`, {
      accountId: id,
      kind: "grant",
      credits: 1,
      reason: "gift",
    });
  }
  const read = async (filter: string) => {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = `${admin}/audit?accountId=${id}&limit=2${filter}${cursor}`;
      const { items, nextCursor } = (await call(support, "GET", page)).body;
      found.push(...(items as { action: string }[]).map(({ action }) => action));
      if (nextCursor === null) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  };
  expect(await read("")).toHaveLength(10);
  expect(await read("&action=credits")).toEqual(Array(5).fill("credits.grant"));
});

test("owners do not learn who of the staff did something, also when they have left it", async () => {
  const owner = await openPerson(bed, { role: "owner" });
  const leaver = await openPerson(bed, { staff: "operator" });
  const invitation = { accountId: owner.accountId, email: "new@example.com", role: "viewer" };
  await call(leaver, "POST", `${admin}/accounts/invitations`, invitation);
  const [assetId] = await fillQueue(bed, owner.accountId, 1);
  await call(leaver, "POST", `${admin}/review/claim`, { assetId });
  const refusal = { assetId, code: "illegal", text: "Nobody signed." };
  expect(await call(leaver, "POST", `${admin}/review/refuse`, refusal)).toMatchObject({
    status: 200,
  });
  const read = async (action = "invitation") =>
    (await call(owner, "GET", `/api/v1/account/audit?action=${action}`)).body.items;
  const unknown = {
    actor: { kind: "operator", id: null, name: null },
    address: null,
    requestId: null,
  };
  const expectUnknown = async () => {
    expect(await read()).toMatchObject([unknown]);
    const refusals = await read("asset.refuse");
    expect(refusals).toMatchObject([{ ...unknown, object: String(assetId) }]);
    const reported = JSON.stringify([await read(), refusals]);
    for (const text of [leaver.personId, leaver.email, refusal.text])
      expect(reported).not.toContain(text);
  };
  await expectUnknown();
  await call(operator, "DELETE", `${admin}/staff?personId=${leaver.personId}`);
  await expectUnknown();
  // Also of an entry from before it was noted who acts as staff.
  await bed.database.sql(
    `insert into audit_entries (id, account_id, actor_kind, actor, person_id, action, object, address)
     select gen_random_uuid(), $1, 'person', $2::text, $2::text::uuid, action, 'old', '192.0.2.9'
     from unnest('{invitation.create,asset.refuse}'::text[]) as action`,
    [owner.accountId, leaver.personId],
  );
  for (const action of ["invitation", "asset.refuse"])
    expect(await read(action)).toMatchObject([unknown, unknown]);
  // What the same person does as a member of the account has a name.
  const member = await openPerson(bed, {
    role: "owner",
    staff: "support",
    accountId: owner.accountId,
  });
  const own = { email: "other@example.com", role: "viewer" };
  await call(member, "POST", "/api/v1/account/invitations", own);
  expect(await read()).toContainEqual(
    expect.objectContaining({
      actor: expect.objectContaining({ id: member.personId, name: "Test" }),
    }),
  );
});
