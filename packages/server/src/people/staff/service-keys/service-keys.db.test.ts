import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminBed, admin, openAdminBed } from "../../../../test/harness/admin-bed.ts";
import { openPerson } from "../../../../test/harness/open-person.ts";
import { openServiceKey } from "../../../../test/harness/open-service-key.ts";
import { serviceScopes } from "../../../db/tables/admin.ts";
import { newId, type PersonId } from "../../../ids.ts";

let opened: AdminBed;
let bed: AdminBed["bed"];
let call: AdminBed["call"];
let operator: AdminBed["operator"];
beforeAll(async () => {
  opened = await openAdminBed();
  ({ bed, call, operator } = opened);
});
afterAll(() => opened[Symbol.asyncDispose]());

const keysUrl = `${admin}/service-keys`;
const newOperator = () => openPerson(bed, { staff: "operator" });
const read = (who: { headers: Record<string, string> }) => call(who, "GET", `${admin}/accounts`);
const unknown = { status: 401, body: { code: "unauthorized" } };

const grant = async (who: { headers: Record<string, string> }, credits: number) => {
  const { id } = await bed.openAccount({ credits: 0 });
  const body = { accountId: id, kind: "grant", credits, reason: "contract 7" };
  return (await call(who, "POST", `${admin}/grants`, body)).body;
};
const approve = (who: { headers: Record<string, string> }, grantId: string) =>
  call(who, "POST", `${admin}/grants/${grantId}/approve`, {});

test("a key is shown once: afterwards there is its beginning, its issuer and its last use, and the database has its hash", async () => {
  const wanted = { name: "billing", scopes: ["accounts:read"], networks: ["192.0.2.7/24"] };
  const made = await call(operator, "POST", keysUrl, wanted);
  expect(made).toMatchObject({
    status: 200,
    body: { key: expect.stringMatching(/^zoe_ops_\w+$/) },
  });
  const { serviceKeyId, key, expiresAt } = made.body;
  const days = (expiresAt - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89);
  expect(days).toBeLessThanOrEqual(90);
  const listed = await call(operator, "GET", keysUrl);
  expect(JSON.stringify(listed.body)).not.toContain(key);
  expect(listed.body.items[0]).toMatchObject({
    serviceKeyId,
    hint: key.slice(0, 12),
    status: "live",
    networks: ["192.0.2.0/24"],
    issuedBy: { personId: operator.personId },
    lastUsedAt: null,
  });
  const rows = await bed.database.sql("select * from service_keys where id = $1", [serviceKeyId]);
  expect(JSON.stringify(rows)).not.toContain(key.slice(12));
  const used = await openServiceKey(bed, operator, ["accounts:read"]);
  await read(used);
  const { items } = (await call(operator, "GET", keysUrl)).body;
  expect(items[0]).toMatchObject({ serviceKeyId: used.serviceKeyId });
  expect(items[0].lastUsedAt).toBeGreaterThan(0);
});

test("a key does what its scopes name and no more: a noun includes reading it, and nothing includes another noun", async () => {
  const { id } = await bed.openAccount();
  const rename = (who: { headers: Record<string, string> }) =>
    call(who, "PATCH", `${admin}/accounts/${id}`, { name: "Renamed" });
  const missing = { status: 403, body: { code: "scope_missing" } };
  const reader = await openServiceKey(bed, operator, ["accounts:read"]);
  expect((await read(reader)).status).toBe(200);
  expect(await rename(reader)).toMatchObject(missing);
  const writer = await openServiceKey(bed, operator, ["accounts"]);
  expect((await read(writer)).status).toBe(200);
  expect((await rename(writer)).status).toBe(200);
  const all = serviceScopes.filter((scope) => !scope.startsWith("accounts"));
  const others = await openServiceKey(bed, operator, all);
  expect(await read(others)).toMatchObject(missing);
  expect(await rename(others)).toMatchObject(missing);
});

test("a key that has expired, was revoked or never was, and one with a wrong letter, are refused alike", async () => {
  const expired = await openServiceKey(bed, operator, ["accounts"]);
  expect((await read(expired)).status).toBe(200);
  await bed.database.sql("update service_keys set expires_at = now() where id = $1", [
    expired.serviceKeyId,
  ]);
  expect(await read(expired)).toMatchObject(unknown);
  const revoked = await openServiceKey(bed, operator, ["accounts"]);
  expect((await call(operator, "DELETE", `${keysUrl}/${revoked.serviceKeyId}`)).status).toBe(200);
  expect(await read(revoked)).toMatchObject(unknown);
  const again = await call(operator, "DELETE", `${keysUrl}/${revoked.serviceKeyId}`);
  expect(again).toMatchObject({ status: 404, body: { code: "service_key_not_found" } });
  const live = await openServiceKey(bed, operator, ["accounts"]);
  const wrong = { authorization: `${live.headers["authorization"]?.slice(0, -1)}_` };
  expect(await read({ headers: wrong })).toMatchObject(unknown);
  expect((await read(live)).status).toBe(200);
});

test("the keys of somebody who is no operator any longer are dead, and stay so when that person comes back", async () => {
  for (const leave of [
    (personId: PersonId) =>
      call(operator, "PATCH", `${admin}/staff`, { personId, role: "support" }),
    (personId: PersonId) => call(operator, "DELETE", `${admin}/staff?personId=${personId}`),
  ]) {
    const leaver = await newOperator();
    const key = await openServiceKey(bed, leaver, ["accounts"]);
    expect((await read(key)).status).toBe(200);
    expect((await leave(leaver.personId)).status).toBe(200);
    expect(await read(key)).toMatchObject(unknown);
    await bed.database.sql(
      `insert into staff (person_id, role) values ($1, 'operator')
       on conflict (person_id) do update set role = 'operator'`,
      [leaver.personId],
    );
    expect(await read(key)).toMatchObject(unknown);
  }
  const gone = await newOperator();
  const key = await openServiceKey(bed, gone, ["accounts"]);
  await bed.database.sql("delete from staff where person_id = $1", [gone.personId]); // by hand
  expect(await read(key)).toMatchObject(unknown);
});

test("a key is refused outside its networks, and an address of IPv4 is the same in the notation of IPv6", async () => {
  const networks = ["192.0.2.0/24", "2001:db8::/48"];
  const { headers, serviceKeyId } = await openServiceKey(bed, operator, ["accounts"], networks);
  const from = async (remoteAddress: string) => {
    const url = `${admin}/accounts`;
    const answer = await opened.api.inject({ method: "GET", url, headers, remoteAddress });
    return answer.statusCode === 200 ? "ok" : answer.json().code;
  };
  expect(await from("192.0.3.1")).toBe("network_refused");
  expect(await from("2001:db8:1::1")).toBe("network_refused");
  expect(await from("::ffff:192.0.3.1")).toBe("network_refused");
  const unused = "select last_used_at from service_keys where id = $1";
  expect(await bed.database.sql(unused, [serviceKeyId])).toEqual([{ last_used_at: null }]);
  for (const address of ["192.0.2.200", "::ffff:192.0.2.1", "2001:db8::7"])
    expect(await from(address), address).toBe("ok");
});

test("no key issues, lists or revokes keys, changes the staff, or makes its issuer an owner, whatever its scopes", async () => {
  const key = await openServiceKey(bed, operator, [...serviceScopes]);
  const somebody = await openPerson(bed, { staff: "support" });
  const email = "friend@example.com";
  const refused = { status: 403, body: { code: "person_required" } };
  const wanted = { name: "heir", scopes: ["accounts"] };
  const change = { personId: somebody.personId, role: "operator" };
  const invitation = { email, role: "operator", asLink: true };
  const approval = { invitationId: newId(0) };
  const owned = { name: "Mine", asOwner: true };
  for (const [method, path, body] of [
    ["POST", "/service-keys", wanted],
    ["GET", "/service-keys", undefined],
    ["DELETE", `/service-keys/${key.serviceKeyId}`, undefined],
    ["PATCH", "/staff", change],
    ["DELETE", `/staff?personId=${somebody.personId}`, undefined],
    ["POST", "/staff/invitations", invitation],
    ["POST", "/staff/invitations/approve", approval],
    ["POST", "/accounts", owned],
  ] as const)
    expect(await call(key, method, admin + path, body), `${method} ${path}`).toMatchObject(refused);
});

test("a grant by a key counts with those of its issuer, and neither of them is the second person of the other", async () => {
  const issuer = await newOperator();
  const asker = await openServiceKey(bed, issuer, ["credits"]);
  const sibling = await openServiceKey(bed, issuer, ["credits", "credits:approve"]);
  expect(await grant(issuer, 600)).toMatchObject({ status: "posted" });
  const byKey = await grant(asker, 600);
  expect(byKey).toMatchObject({ status: "pending" }); // 1,200 of one person in a day
  const byPerson = await grant(issuer, 5_000);
  const refused = { status: 409, body: { code: "second_person_needed" } };
  for (const { grantId } of [byKey, byPerson])
    for (const who of [sibling, issuer]) expect(await approve(who, grantId)).toMatchObject(refused);
  const stranger = await newOperator();
  const withoutScope = await openServiceKey(bed, stranger, ["credits"]);
  expect(await approve(withoutScope, byKey.grantId)).toMatchObject({
    status: 403,
    body: { code: "scope_missing" },
  });
  const second = await openServiceKey(bed, stranger, ["credits:approve"]);
  expect((await approve(second, byKey.grantId)).status).toBe(200);
});

test("a key is as new, and of the same chain of invitations, as the person who issued it", async () => {
  const asked = await grant(operator, 5_000);
  const refused = { status: 409, body: { code: "second_person_needed" } };
  const invited = await newOperator();
  await bed.database.sql("update staff set invited_by = $2 where person_id = $1", [
    invited.personId,
    operator.personId,
  ]);
  const recent = await newOperator();
  await bed.database.sql("update staff set created_at = now() where person_id = $1", [
    recent.personId,
  ]);
  for (const issuer of [invited, recent]) {
    const key = await openServiceKey(bed, issuer, ["credits:approve"]);
    expect(await approve(key, asked.grantId)).toMatchObject(refused);
  }
});

test("a higher limit that a key asks for waits for somebody else than its issuer", async () => {
  const issuer = await newOperator();
  const key = await openServiceKey(bed, issuer, ["credits", "credits:approve"]);
  const url = `${admin}/grant-limit`;
  expect((await call(key, "PUT", url, { credits: 1_000_000 })).status).toBe(200);
  for (const who of [key, issuer])
    expect(await call(who, "POST", `${url}/approve`)).toMatchObject({ status: 409 });
  expect((await call(operator, "GET", url)).body.credits).toBe(1_000);
  expect((await call(issuer, "POST", `${url}/reject`)).status).toBe(200);
});

test("the audit names the key and whose it is; the account is told that an operator did it", async () => {
  const { id } = await bed.openAccount();
  const key = await openServiceKey(bed, operator, ["accounts"]);
  await call(key, "PATCH", `${admin}/accounts/${id}`, { name: "Renamed" });
  const { items } = (await call(operator, "GET", `${admin}/audit?accountId=${id}`)).body;
  expect(items[0]).toMatchObject({
    action: "account.change",
    actor: { kind: "service", id: key.serviceKeyId, name: "nightly", email: operator.email },
  });
  const url = `${admin}/audit?personId=${operator.personId}&limit=100`;
  const ofIssuer = (await call(operator, "GET", url)).body.items;
  expect(ofIssuer).toContainEqual(expect.objectContaining({ id: items[0].id }));
  const owner = await openPerson(bed, { role: "owner", accountId: id });
  const headers = { ...owner.headers, "zoetrope-account": id };
  const reported = await call({ headers }, "GET", "/api/v1/account/audit");
  expect(reported.body.items[0]).toMatchObject({
    action: "account.change",
    actor: { kind: "operator", id: null, name: null },
    address: null,
  });
});

test("only an operator who proved within ten minutes who it is issues a key, and the other operators get a mail", async () => {
  const wanted = { name: "shop\nfront", scopes: ["credits"] };
  for (const who of [opened.support, opened.reviewer])
    expect(await call(who, "POST", keysUrl, wanted)).toMatchObject({
      status: 403,
      body: { code: "role_missing" },
    });
  const stale = await newOperator();
  await bed.database.sql(
    "update sessions set proved_at = now() - interval '11 minutes' where id = $1",
    [stale.sessionId],
  );
  expect(await call(stale, "POST", keysUrl, wanted)).toMatchObject({
    status: 403,
    body: { code: "proof_required" },
  });
  expect((await call(operator, "POST", keysUrl, wanted)).status).toBe(200);
  const mails = await bed.database.sql<{ recipient: string; subject: string }>(
    `select recipient, content ->> 'subject' as subject from mails
     where content ->> 'subject' like '%service key "shop front"%'`,
  );
  expect(mails.map(({ recipient }) => recipient)).toContain(opened.other.email);
  expect(mails.map(({ recipient }) => recipient)).not.toContain(operator.email);
});

test("a key ends within a year, has a scope, and at most 100 are live", async () => {
  const refusedFor = async (more: object) => {
    const wanted = { name: "a", scopes: ["accounts"], ...more };
    return (await call(operator, "POST", keysUrl, wanted)).body.param;
  };
  expect(await refusedFor({ expiresInDays: 367 })).toBe("expiresInDays");
  expect(await refusedFor({ scopes: [] })).toBe("scopes");
  expect(await refusedFor({ scopes: ["everything"] })).toMatch(/^scopes/);
  expect(await refusedFor({ networks: ["192.0.2.0/33"] })).toMatch(/^networks/);
  await bed.database.sql(
    `insert into service_keys (id, name, hint, hash, scopes, issued_by, expires_at)
     select gen_random_uuid(), 'a', 'zoe_ops_', sha256(n::text::bytea), '{accounts}', $1, now() + interval '1 hour'
     from generate_series(1, 100) n`,
    [operator.personId],
  );
  const full = await call(operator, "POST", keysUrl, { name: "a", scopes: ["accounts"] });
  expect(full).toMatchObject({ status: 409, body: { code: "too_many_service_keys" } });
  await bed.database.sql("update service_keys set revoked_at = now()");
});

test("the API of customers takes no service key", async () => {
  const key = await openServiceKey(bed, operator, [...serviceScopes]);
  for (const url of ["/api/v1/account/credits", "/api/v1/me", "/api/v1/jobs/list"])
    expect(await call(key, "GET", url), url).toMatchObject(unknown);
});
