import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  cookiesOf,
  hasSession,
  oidcPath,
  openOidcBed,
  origin,
} from "../../../test/harness/oidc-bed.ts";
import { openPerson, signIn } from "../../../test/harness/open-person.ts";
import { openTestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";
import { newToken } from "../token.ts";

const password = "correct horse battery staple";
type Headers = Record<string, string>;

let oidc: Awaited<ReturnType<typeof openOidcBed>>;
beforeAll(async () => {
  oidc = await openOidcBed();
});
afterAll(() => oidc[Symbol.asyncDispose]());
beforeEach(() => oidc.renew());

describe("somebody who was invited", () => {
  test("accepts by company sign-in, and signs in by it from then on", async () => {
    const { email } = oidc.provider.lies.user;
    const invitation = await oidc.invite(email);
    const first = await oidc.visit({ invitation, returnTo: "/console/tasks?x=1#y" });
    expect(first.statusCode).toBe(303);
    expect(first.headers.location).toBe(`${origin}/console/tasks?x=1#y`);
    const { personId } = await oidc.personOf(first);
    const again = await oidc.visit();
    expect(await oidc.personOf(again)).toMatchObject({ personId, email });
    const [row] = await oidc.bed.database.sql("select role from members where person_id = $1", [
      personId,
    ]);
    expect(row).toEqual({ role: "developer" });
    expect(await oidc.bed.database.sql("select 1 from one_time_links")).toEqual([]);
  });

  test("is found by the provider's subject, whatever address it has later", async () => {
    const invitation = await oidc.invite(oidc.provider.lies.user["email"]);
    const { personId } = await oidc.personOf(await oidc.visit({ invitation }));
    oidc.provider.lies.user = { ...oidc.provider.lies.user, email: "other@acme.example" };
    expect(await oidc.personOf(await oidc.visit())).toMatchObject({ personId });
    oidc.provider.lies.user = { sub: oidc.provider.lies.user.sub };
    expect(await oidc.personOf(await oidc.visit())).toMatchObject({ personId });
  });

  test("comes in also where only the userinfo endpoint tells the address", async () => {
    oidc.provider.lies.isShy = true;
    const invitation = await oidc.invite(String(oidc.provider.lies.user["email"]).toUpperCase());
    expect((await oidc.visit({ invitation })).statusCode).toBe(303);
  });

  test("is refused with an address that is not verified, another one, or of another domain", async () => {
    const { user } = oidc.provider.lies;
    const invitation = await oidc.invite(user["email"]);
    const others = [
      { email_verified: false },
      { email_verified: "true" },
      { email_verified: undefined },
      { email: "somebody@acme.example" },
      { email: undefined },
    ];
    for (const other of others) {
      oidc.provider.lies = { user: { ...user, ...other } };
      const answer = await oidc.visit({ invitation });
      expect(answer.json(), JSON.stringify(other)).toMatchObject({ code: "oidc_email_refused" });
      expect(hasSession(answer)).toBe(false);
    }
    const elsewhere = { ...user, email: "user@elsewhere.example" };
    oidc.provider.lies = { user: elsewhere };
    const foreign = await oidc.visit({ invitation: await oidc.invite("user@elsewhere.example") });
    expect(foreign.json()).toMatchObject({ code: "oidc_email_refused" });
    // The invitation is not used up by any of this.
    oidc.provider.lies = { user };
    expect((await oidc.visit({ invitation })).statusCode).toBe(303);
  });
});

test("a person with an authenticator app is asked for a code after company sign-in too", async () => {
  const { personId } = await oidc.openCompanyPerson();
  await oidc.bed.database.sql(
    "insert into totp_factors (person_id, secret, confirmed_at) values ($1, 'x', now())",
    [personId],
  );
  const answer = await oidc.visit({ returnTo: "/console?a=1" });
  expect(answer.headers.location).toBe(`${origin}/console?a=1&signIn=second_factor_required`);
  expect(await oidc.personOf(answer)).toMatchObject({ code: "signed_out" });
});

describe("somebody who was not invited", () => {
  test("does not come in, with a verified address of an allowed domain neither", async () => {
    const answer = await oidc.visit();
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: "oidc_not_invited" });
    expect(hasSession(answer)).toBe(false);
  });

  test("does not take over a person who has the same address", async () => {
    const { email } = oidc.provider.lies.user;
    await openPerson(oidc.bed, { role: "owner", email: String(email) });
    expect((await oidc.visit()).json()).toMatchObject({ code: "oidc_not_invited" });
    const invitation = await oidc.invite(email);
    expect((await oidc.visit({ invitation })).json()).toMatchObject({ code: "oidc_not_invited" });
  });

  test("does not use an invitation that was used, has expired, or never was", async () => {
    const invitation = await oidc.invite(oidc.provider.lies.user["email"]);
    await oidc.bed.database.sql(
      "update one_time_links set expires_at = now() - interval '1 second'",
    );
    for (const token of [invitation, newToken().token])
      expect((await oidc.visit({ invitation: token })).json()).toMatchObject({
        code: "oidc_not_invited",
      });
  });
});

describe("linking", () => {
  const link = (headers: Headers) =>
    oidc.api.inject({ method: "POST", url: "/api/v1/me/identities", headers, payload: {} });
  const list = async (headers: Headers) => {
    const answer = await oidc.api.inject({ url: "/api/v1/me/identities", headers });
    return answer.json<{ identities: { identityId: string; email?: string }[] }>().identities;
  };

  test("gives a signed-in person the company sign-in, which cannot be given to two", async () => {
    const person = await openPerson(oidc.bed, { role: "owner", password });
    const begun = await link(person.headers);
    const back = await oidc.provider.visit(begun.json<{ url: string }>().url);
    const linked = await oidc.comeBack(back, cookiesOf(begun));
    expect(linked.statusCode).toBe(303);
    expect(hasSession(linked)).toBe(false);
    expect(await oidc.personOf(await oidc.visit())).toMatchObject({ personId: person.personId });
    const thief = await openPerson(oidc.bed, { role: "owner" });
    const second = await link(thief.headers);
    const again = await oidc.provider.visit(second.json<{ url: string }>().url);
    expect((await oidc.comeBack(again, cookiesOf(second))).json()).toMatchObject({
      code: "identity_taken",
    });
    const [own] = await list(person.headers);
    const unlink = (headers: Headers) =>
      oidc.api.inject({
        method: "DELETE",
        url: `/api/v1/me/identities?identityId=${own?.identityId}`,
        headers,
      });
    expect((await unlink(thief.headers)).json()).toMatchObject({ code: "identity_not_found" });
    expect((await unlink(person.headers)).statusCode).toBe(200);
    expect(await list(person.headers)).toEqual([]);
    expect((await oidc.visit()).json()).toMatchObject({ code: "oidc_not_invited" });
    const actions = await oidc.bed.database.sql<{ action: string }>(
      "select action from audit_entries where person_id = $1 and action like 'identity.%' order by id",
      [person.personId],
    );
    expect(actions.map(({ action }) => action)).toEqual(["identity.link", "identity.unlink"]);
  });

  test("ends with the session that began it", async () => {
    const person = await openPerson(oidc.bed, { role: "owner" });
    const begun = await link(person.headers);
    const back = await oidc.provider.visit(begun.json<{ url: string }>().url);
    await oidc.api.inject({ method: "DELETE", url: "/api/v1/session", headers: person.headers });
    const answer = await oidc.comeBack(back, cookiesOf(begun));
    expect(answer.json()).toMatchObject({ code: "oidc_refused" });
  });

  test("cannot be undone where it is the only way to sign in", async () => {
    const invitation = await oidc.invite(oidc.provider.lies.user["email"]);
    const answer = await oidc.visit({ invitation });
    const headers = { cookie: cookiesOf(answer), origin };
    const [own] = await list(headers);
    const url = `/api/v1/me/identities?identityId=${own?.identityId}`;
    const refused = await oidc.api.inject({ method: "DELETE", url, headers });
    expect(refused.json()).toMatchObject({ code: "last_factor" });
    expect(await list(headers)).toHaveLength(1);
  });
});

describe("while the provider is away", () => {
  test("company sign-in says so, and a password still signs in", async () => {
    await using gone = await openTestBed({
      OIDC_ISSUER: "http://127.0.0.1:9",
      OIDC_CLIENT_ID: "a",
      OIDC_CLIENT_SECRET: "b",
    });
    const other = await buildApi(gone.ctx);
    const payload = {};
    const answer = await other.inject({
      method: "POST",
      url: oidcPath,
      headers: { origin },
      payload,
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: "oidc_unavailable" });
    const { email } = await openPerson(gone, { role: "owner", password });
    const signedIn = await signIn(other, gone, { email, password });
    expect(signedIn.answer.json()).toEqual({ status: "signed_in" });
    await other.close();
  });

  test("a visit that is under way is refused with a reason", async () => {
    await oidc.openCompanyPerson();
    oidc.provider.lies.tokenStatus = 502;
    const answer = await oidc.visit();
    expect(answer.json()).toMatchObject({ code: "oidc_unavailable" });
  });

  test("and where there is none, nothing is offered", async () => {
    await using without = await openTestBed();
    const other = await buildApi(without.ctx);
    const methods = await other.inject("/api/v1/session/methods");
    expect(methods.json()).toEqual({ password: true, passkey: true, oidc: null });
    const payload = {};
    const answer = await other.inject({
      method: "POST",
      url: oidcPath,
      headers: { origin },
      payload,
    });
    expect(answer.json()).toMatchObject({ code: "oidc_not_configured" });
    await other.close();
  });
});

test("the ways to sign in name the company", async () => {
  const answer = await oidc.api.inject("/api/v1/session/methods");
  expect(answer.json()).toEqual({ password: true, passkey: true, oidc: { name: "Acme" } });
});

test("a person who signs in by company sign-in alone proves by it who it is, signed in there anew", async () => {
  const entered = await oidc.visit({
    invitation: await oidc.invite(oidc.provider.lies.user["email"]),
  });
  const headers = { origin, cookie: cookiesOf(entered) };
  const { personId } = await oidc.personOf(entered);
  const grow = () =>
    oidc.bed.database.sql("update sessions set proved_at = now() - interval '11 minutes'");
  const proof = async () =>
    (await oidc.api.inject({ url: "/api/v1/session/proof", headers })).json<object>();
  const visitAgain = async () => {
    const request = { method: "POST", url: "/api/v1/session/proof/oidc", headers } as const;
    const begun = await oidc.api.inject({ ...request, payload: { returnTo: "/console/keys" } });
    const { url } = begun.json<{ url: string }>();
    expect(new URL(url).searchParams.get("prompt")).toBe("login");
    return oidc.comeBack(await oidc.provider.visit(url), cookiesOf(begun));
  };
  await grow();
  expect(await proof()).toEqual({ isFresh: false, ways: ["oidc"] });

  const own = oidc.provider.lies;
  oidc.provider.lies = { user: { ...own.user, sub: "somebody-else" } };
  expect((await visitAgain()).json()).toMatchObject({ code: "oidc_refused" });
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  oidc.provider.lies = { ...own, idToken: (claims) => ({ ...claims, auth_time: hourAgo }) };
  expect((await visitAgain()).json()).toMatchObject({ code: "oidc_refused" });
  expect(await proof()).toMatchObject({ isFresh: false });

  oidc.provider.lies = own;
  const back = await visitAgain();
  expect(back.headers.location).toBe(`${origin}/console/keys`);
  expect(await proof()).toMatchObject({ isFresh: true });
  const linked = await oidc.bed.database.sql("select 1 from oidc_identities where person_id = $1", [
    personId,
  ]);
  expect(linked).toHaveLength(1); // it proved, and linked nothing
});
