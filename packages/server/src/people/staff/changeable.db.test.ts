import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminBed, admin, openAdminBed } from "../../../test/harness/admin-bed.ts";
import { openPerson, type TestPerson } from "../../../test/harness/open-person.ts";
import { openServiceKey } from "../../../test/harness/open-service-key.ts";

let opened: AdminBed;
beforeAll(async () => {
  opened = await openAdminBed();
});
afterAll(() => opened[Symbol.asyncDispose]());

const enrol = ({ personId }: TestPerson) =>
  opened.bed.database.sql(
    "insert into totp_factors (person_id, secret, confirmed_at) values ($1, 'test', now())",
    [personId],
  );

test("a service key signs customers out and removes their authenticator app, but changes nobody of the staff", async () => {
  const { bed, call, operator, other, support } = opened;
  const key = await openServiceKey(bed, operator, ["people"]);
  const customer = await openPerson(bed, { role: "owner" });
  for (const person of [customer, other, support]) await enrol(person);
  const signOut = ({ email }: TestPerson) =>
    call(key, "POST", `${admin}/people/sign-out`, { email, removesWays: true });
  const remove = ({ email }: TestPerson) =>
    call(key, "POST", `${admin}/people/remove-authenticator`, { email });
  const before = await opened.bed.database.sql("select count(*) from sessions");
  for (const person of [other, support])
    for (const act of [signOut, remove])
      expect(await act(person)).toMatchObject({ status: 403, body: { code: "person_required" } });
  expect(await opened.bed.database.sql("select count(*) from sessions")).toEqual(before);
  expect((await remove(customer)).status).toBe(200);
  expect(await signOut(customer)).toMatchObject({ status: 200, body: { ended: 1, ways: [] } });
  expect((await call(customer, "GET", "/api/v1/me")).status).toBe(401);
});

test("to remove the ways to sign in of an operator ends its service keys, too", async () => {
  const { bed, call, operator } = opened;
  const taken = await openPerson(bed, { staff: "operator" });
  const key = await openServiceKey(bed, taken, ["accounts"]);
  const { email } = taken;
  const signOut = (removesWays: boolean) =>
    call(operator, "POST", `${admin}/people/sign-out`, { email, removesWays });
  expect((await signOut(false)).status).toBe(200);
  expect((await call(key, "GET", `${admin}/accounts`)).status).toBe(200);
  expect((await signOut(true)).status).toBe(200);
  expect((await call(key, "GET", `${admin}/accounts`)).status).toBe(401);
});

test("the last owner of an account stays, whoever removes people", async () => {
  const { bed, call, operator } = opened;
  const owner = await openPerson(bed, { role: "owner" });
  const url = `${admin}/accounts/${owner.accountId}/members`;
  const viewer = await openPerson(bed, { role: "viewer", accountId: owner.accountId });
  expect((await call(operator, "DELETE", `${url}/${viewer.personId}`)).status).toBe(200);
  expect(await call(operator, "DELETE", `${url}/${owner.personId}`)).toMatchObject({
    status: 409,
    body: { code: "last_owner" },
  });
});

test("a person is signed out everywhere, is told by which ways it signs in, and loses them if asked", async () => {
  const { bed, call, operator } = opened;
  const password = "correct horse battery staple";
  const { personId, email } = await openPerson(bed, { role: "owner", password });
  await bed.database.sql(
    `insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name)
     values (gen_random_uuid(), $1, 'x', 'x', 0, '{}', 'Laptop')`,
    [personId],
  );
  const signOut = (removesWays: boolean) =>
    call(operator, "POST", `${admin}/people/sign-out`, { email, removesWays });
  const ways = [{ kind: "passkey", name: "Laptop" }];
  expect((await signOut(false)).body).toMatchObject({ ended: 1, hasPassword: true, ways });
  expect((await signOut(true)).body).toMatchObject({ ended: 0, hasPassword: false, ways });
  const left = await bed.database.sql(
    `select p.password_hash, count(k.id)::int as passkeys from people p
     left join passkeys k on k.person_id = p.id where p.id = $1 group by p.id`,
    [personId],
  );
  expect(left).toEqual([{ password_hash: null, passkeys: 0 }]);
  const recorded = await bed.database.sql(
    "select after from audit_entries where action = 'person.sign_out' and object = $1 order by id",
    [personId],
  );
  expect(recorded).toMatchObject([{ after: { ended: 1, removed: [] } }, { after: { ended: 0 } }]);
});

test("a lost authenticator app is removed with its recovery codes, and one that is not there is a refusal", async () => {
  const { bed, call, operator } = opened;
  const person = await openPerson(bed, { role: "owner" });
  const { personId, email } = person;
  await enrol(person);
  await bed.database.sql("insert into recovery_codes (person_id, hash) values ($1, 'x')", [
    personId,
  ]);
  const remove = () => call(operator, "POST", `${admin}/people/remove-authenticator`, { email });
  expect((await remove()).status).toBe(200);
  for (const table of ["totp_factors", "recovery_codes"])
    expect(
      await bed.database.sql(`select 1 from ${table} where person_id = $1`, [personId]),
      table,
    ).toEqual([]);
  expect(await remove()).toMatchObject({ status: 409, body: { code: "totp_not_enabled" } });
});
