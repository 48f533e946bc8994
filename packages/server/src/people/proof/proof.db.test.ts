import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator } from "../../../test/harness/authenticator.ts";
import { openPerson, signIn, type TestPerson } from "../../../test/harness/open-person.ts";
import {
  newPassword,
  openPeopleBed,
  ours,
  type PeopleBed,
  password,
} from "../../../test/harness/people-bed.ts";
import { tokenIn } from "../../../test/harness/smtp-inbox.ts";
import { newId } from "../../ids.ts";

let bed: PeopleBed;
beforeAll(async () => {
  bed = await openPeopleBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const origin = ours.origin;
type Headers = Record<string, string>;
const post = (path: string, headers: Headers, body: object = {}) =>
  bed.call("POST", `v1/${path}`, headers, body);
const codeOf = (secret: unknown, off = 0) =>
  generateSync({ secret: String(secret), epoch: Math.floor(Date.now() / 1000) + off * 30 });

/** A person whose sessions are as old as given, as a thief finds them. */
async function openOld(minutes = 11, more: { password?: string } = { password }) {
  const person = await openPerson(bed, { role: "owner", email: bed.newAddress(), ...more });
  await grow(person, minutes);
  return person;
}

const grow = ({ personId }: Pick<TestPerson, "personId">, minutes: number) =>
  bed.database.sql(
    `update sessions set created_at = created_at - $2 * interval '1 minute',
       proved_at = proved_at - $2 * interval '1 minute' where person_id = $1`,
    [personId, minutes],
  );

async function addPasskey(headers: Headers, authenticator = createAuthenticator(origin)) {
  const { body } = await post("me/passkeys/options", headers);
  const credential = authenticator.create(body["options"]);
  const added = await post("me/passkeys", headers, { name: "Laptop", credential });
  expect(added.status).toBe(200);
  return authenticator;
}

const proofOf = async ({ headers }: TestPerson) =>
  (await bed.call("GET", "v1/session/proof", headers)).body;

const lasting: [string, "GET" | "POST" | "DELETE" | "PATCH", string, object | undefined][] = [
  ["a passkey", "POST", "v1/me/passkeys/options", {}],
  ["a passkey that was begun", "POST", "v1/me/passkeys", {}],
  ["the removal of a passkey", "DELETE", "v1/me/passkeys?passkeyId=x", undefined],
  ["a company sign-in", "POST", "v1/me/identities", { returnTo: "/" }],
  ["the removal of a company sign-in", "DELETE", "v1/me/identities?identityId=x", undefined],
  ["an authenticator app", "POST", "v1/me/totp", {}],
  ["its confirmation", "POST", "v1/me/totp/confirm", { code: "123456" }],
  ["its end", "POST", "v1/me/totp/disable", {}],
  ["recovery codes", "POST", "v1/me/totp/recovery-codes", {}],
  ["a password", "POST", "v1/me/password", { currentPassword: password, newPassword }],
  ["an address", "POST", "v1/me/email", { email: "eve@example.com", password }],
  ["an API key", "POST", "v1/account/keys", { name: "mine" }],
  ["other limits of a key", "PATCH", "v1/account/keys?keyId=x", { scopes: null }],
  ["an owner", "POST", "v1/account/invitations", { email: "eve@example.com", role: "owner" }],
  ["a viewer", "POST", "v1/account/invitations", { email: "eve@example.com", role: "viewer" }],
  ["another role", "PATCH", "v1/account/members", { personId: "x", role: "developer" }],
  ["a webhook endpoint", "POST", "v1/webhooks/endpoints", { url: "https://example.com/hook" }],
  ["another address of one", "PATCH", "v1/webhooks/endpoints?endpointId=x", { paused: false }],
  ["the secret of one", "GET", "v1/webhooks/endpoints/secret?endpointId=x", undefined],
  ["another secret of one", "POST", "v1/webhooks/endpoints/secret/rotate?endpointId=x", {}],
  ["the webhook secret", "GET", "v1/webhooks/secret", undefined],
  ["another webhook secret", "POST", "v1/webhooks/secret/rotate", {}],
];

test.each(lasting)("a stolen cookie alone does not get %s", async (_what, method, url, body) => {
  const person = await openOld();
  const refused = await bed.call(method, url, person.headers, body);
  expect(refused).toMatchObject({ status: 403, body: { code: "proof_required" } });
  expect(await proofOf(person)).toEqual({ isFresh: false, ways: ["password"] });
  expect((await post("session/proof", person.headers, { password })).status).toBe(200);
  const repeated = await bed.call(method, url, person.headers, body);
  expect(repeated.body).not.toMatchObject({ code: "proof_required" });
});

test("a session of before the sessions noted proofs has none", async () => {
  const person = await openOld();
  await bed.database.sql("update sessions set proved_at = null where person_id = $1", [
    person.personId,
  ]);
  expect(await proofOf(person)).toMatchObject({ isFresh: false });
});

describe("a proof", () => {
  test("by a wrong password is refused and counted", async () => {
    const person = await openOld();
    const attempt = () => post("session/proof", person.headers, { password: "wrong" });
    expect((await attempt()).body).toMatchObject({ code: "password_wrong" });
    for (let n = 0; n < 10; n++) await attempt();
    expect((await attempt()).status).toBe(429);
    expect(await proofOf(person)).toMatchObject({ isFresh: false });
  });

  test("of a person with an authenticator app is a code, not the password", async () => {
    const person = await openOld(0);
    const { secret } = (await post("me/totp", person.headers)).body;
    await post("me/totp/confirm", person.headers, { code: codeOf(secret) });
    await grow(person, 11);
    expect(await proofOf(person)).toEqual({ isFresh: false, ways: ["code"] });
    const byPassword = await post("session/proof", person.headers, { password });
    expect(byPassword.body).toMatchObject({ code: "second_factor_required" });
    expect((await post("me/totp/disable", person.headers)).status).toBe(403);
    const code = codeOf(secret, 1);
    expect((await post("session/proof", person.headers, { code })).status).toBe(200);
    expect((await post("me/totp/disable", person.headers)).status).toBe(200);
    expect((await bed.mailTo(person.email, 2)).text).toContain("authenticator app");
  });

  test("of a person without a password is a passkey, and nobody else's", async () => {
    const [ada, eve] = [await openOld(0, {}), await openOld(0)];
    const [hers, other] = [await addPasskey(ada.headers), await addPasskey(eve.headers)];
    await grow(ada, 11);
    expect(await proofOf(ada)).toEqual({ isFresh: false, ways: ["passkey"] });
    const prove = async (using: typeof hers) => {
      const { body } = await post("session/proof/passkey/options", ada.headers);
      return post("session/proof", ada.headers, { credential: using.get(body["options"]) });
    };
    expect((await prove(other)).body).toMatchObject({ code: "passkey_refused" });
    expect((await prove(hers)).status).toBe(200);
    const next = await post("me/password", ada.headers, { newPassword });
    expect(next.status).toBe(200); // a password for somebody who had none
  });

  test("is of the session that it was given in", async () => {
    const person = await openOld();
    const { headers } = await signIn(bed.api, bed, { email: person.email, password });
    expect((await bed.call("GET", "v1/session/proof", headers)).body).toMatchObject({
      isFresh: true,
    });
    expect(await proofOf(person)).toMatchObject({ isFresh: false });
  });
});

test("every change of a way to sign in is mailed to the person", async () => {
  const person = await openOld(0);
  const { email, headers } = person;
  await addPasskey(headers);
  expect((await bed.mailTo(email)).text).toContain("A passkey was added");
  const { passkeys } = (await bed.call("GET", "v1/me/passkeys", headers)).body as {
    passkeys: { passkeyId: string }[];
  };
  await bed.call("DELETE", `v1/me/passkeys?passkeyId=${passkeys[0]?.passkeyId}`, headers);
  expect((await bed.mailTo(email, 2)).text).toContain("A passkey was removed");
  const { secret } = (await post("me/totp", headers)).body;
  await post("me/totp/confirm", headers, { code: codeOf(secret) });
  expect((await bed.mailTo(email, 3)).text).toContain("An authenticator app was enabled");
  await post("me/totp/recovery-codes", headers);
  expect((await bed.mailTo(email, 4)).text).toContain("Your recovery codes");
});

test("whoever creates an API key or makes somebody an owner gets a mail", async () => {
  const { email, headers, accountId } = await openOld(0);
  expect((await post("account/keys", headers, { name: "mine" })).status).toBe(200);
  expect((await bed.mailTo(email)).text).toContain("You created an API key");
  const { personId } = await openPerson(bed, { role: "viewer", accountId });
  const change = { personId, role: "owner" };
  expect((await bed.call("PATCH", "v1/account/members", headers, change)).status).toBe(200);
  expect((await bed.mailTo(email, 2)).text).toContain("You made somebody an owner");
});

test("a reset removes the passkeys and company sign-ins of the last 30 days, also if the session in which they were added has ended, and tells the others", async () => {
  const person = await openOld(0);
  const own = await addPasskey(person.headers);
  await bed.database.sql(
    "update passkeys set created_at = now() - interval '31 days', name = 'Own' where person_id = $1",
    [person.personId],
  );
  await grow(person, 60);
  await post("session/proof", person.headers, { password }); // the thief has the password, too
  const stolen = await addPasskey(person.headers);
  await bed.call("DELETE", "v1/session", person.headers); // there is no session left to tell
  await post("password/request", ours, { email: person.email });
  const companies = [newId(0), newId(0)];
  await bed.database.sql(
    `insert into oidc_identities (id, person_id, issuer, subject, email, created_at)
     values ($2, $1, 'https://id.example.com', 'own', 'own@example.com', now() - interval '32 days'),
            ($3, $1, 'https://id.example.com', 'thief', 'thief@example.com', now() + interval '1 minute')`,
    [person.personId, ...companies],
  );
  const token = tokenIn(await bed.mailTo(person.email, 3));
  const reset = await post("password/reset", ours, { token, password: newPassword });
  expect(reset.body).toMatchObject({
    removed: [
      { kind: "passkey", name: "Laptop" },
      { kind: "company", name: "thief@example.com" },
    ],
    kept: [
      { kind: "company", name: "own@example.com" },
      { kind: "passkey", name: "Own" },
    ],
  });
  const enter = async (using: typeof own) => {
    const { body } = await post("session/passkey/options", ours);
    return (await post("session/passkey", ours, { credential: using.get(body["options"]) })).status;
  };
  expect(await enter(stolen)).toBe(401);
  expect(await enter(own)).toBe(200);
});

test("a password without the code ends none of the sessions of its person", async () => {
  const person = await openOld(0);
  const { secret } = (await post("me/totp", person.headers)).body;
  await post("me/totp/confirm", person.headers, { code: codeOf(secret) });
  const { email } = person;
  let last: Headers = {};
  for (let n = 0; n < 21; n++) last = (await signIn(bed.api, bed, { email, password })).headers;
  expect((await bed.call("GET", "v1/me", person.headers)).status).toBe(200);
  const rows = await bed.database.sql(
    "select 1 from sessions where person_id = $1 and awaits_factor",
    [person.personId],
  );
  expect(rows).toHaveLength(3);
  const passed = await post("session/factor", last, { code: codeOf(secret, 1) });
  expect(passed.status).toBe(200); // the newest of them is good
});
