import { generateSync } from "otplib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Authenticator, createAuthenticator } from "../../test/harness/authenticator.ts";
import { openPerson, signIn, type TestPerson } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "../api/build-api.ts";

const origin = "https://studio.example";
const password = "correct horse battery staple";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ PUBLIC_URL: origin });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

type Headers = Record<string, string>;
const get = (path: string, headers: Headers) => api.inject({ url: `/api/v1/${path}`, headers });
const post = (path: string, headers: Headers, payload: object = {}, remoteAddress = "10.0.0.1") =>
  api.inject({ method: "POST", url: `/api/v1/${path}`, headers, payload, remoteAddress });
type Answer = Awaited<ReturnType<typeof post>>;
const browserOf = (answer: Answer): Headers => ({
  origin,
  cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
});
const codeOf = (secret: string, off = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + off * 30 });

/** Uses up the code of now; that of the next step is left. */
async function enableTotp({ headers }: TestPerson) {
  const enrolled = await post("me/totp", headers);
  const { secret } = enrolled.json<{ secret: string }>();
  const confirmed = await post("me/totp/confirm", headers, { code: codeOf(secret) });
  expect(confirmed.statusCode).toBe(200);
  return { secret, codes: confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes };
}

describe("a person with an authenticator app", () => {
  test("signs in with password and code; until then the session is good for nothing else", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    const { secret } = await enableTotp(person);
    const { email } = person;
    const { answer, headers } = await signIn(api, bed, { email, password });
    expect(answer.json()).toEqual({ status: "second_factor_required" });
    for (const path of ["me", "me/totp", "me/passkeys", "account/credits"])
      expect((await get(path, headers)).json(), path).toMatchObject({ code: "signed_out" });
    for (const path of ["me/totp/disable", "me/passkeys/options", "me/totp/recovery-codes"])
      expect((await post(path, headers, { password })).json()).toMatchObject({
        code: "signed_out",
      });
    const code = codeOf(secret, 1);
    const passed = await post("session/factor", headers, { code });
    expect(passed.json()).toEqual({ status: "signed_in" });
    expect((await get("me", browserOf(passed))).json()).toMatchObject({ email });
    // The token from before the code is not promoted, and the code is used up.
    expect((await get("me", headers)).statusCode).toBe(401);
    const again = await signIn(api, bed, { email, password });
    const replayed = await post("session/factor", again.headers, { code });
    expect(replayed.json()).toMatchObject({ code: "second_factor_wrong" });
  });

  test("signs in with a recovery code once, which is recorded", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    const { codes } = await enableTotp(person);
    const { email } = person;
    const first = await signIn(api, bed, { email, password });
    const passed = await post("session/factor", first.headers, { code: codes[0] });
    expect(passed.json()).toEqual({ status: "signed_in" });
    const totp = await get("me/totp", browserOf(passed));
    expect(totp.json()).toEqual({ isEnabled: true, recoveryCodesLeft: 9 });
    const second = await signIn(api, bed, { email, password });
    const again = await post("session/factor", second.headers, { code: codes[0] });
    expect(again.json()).toMatchObject({ code: "second_factor_wrong" });
    const uses = await bed.database.sql(
      "select 1 from audit_entries where person_id = $1 and action = 'recovery_code.use'",
      [person.personId],
    );
    expect(uses).toHaveLength(1);
  });

  test("is locked after five wrong codes, over all sessions, and is told how long", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    const { codes } = await enableTotp(person);
    const answers: Answer[] = [];
    for (let index = 0; index < 5; index++) {
      const { headers } = await signIn(api, bed, { email: person.email, password });
      answers.push(await post("session/factor", headers, { code: "wrong-code" }));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 429]);
    expect(Number(answers[4]?.headers["retry-after"])).toBe(900);
    const { headers } = await signIn(api, bed, { email: person.email, password });
    const right = await post("session/factor", headers, { code: codes[0] });
    expect(right.json()).toMatchObject({ code: "second_factor_locked" });
  });

  test("disables it in a session that has proved itself, and signs in without it from then on", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    await enableTotp(person);
    expect((await post("me/totp/disable", person.headers)).statusCode).toBe(200);
    const totp = await get("me/totp", person.headers);
    expect(totp.json()).toEqual({ isEnabled: false, recoveryCodesLeft: 0 });
    const { answer } = await signIn(api, bed, { email: person.email, password });
    expect(answer.json()).toEqual({ status: "signed_in" });
    const again = await post("me/totp/disable", person.headers);
    expect(again.json()).toMatchObject({ code: "totp_not_enabled" });
  });

  test("cannot guess codes as proofs without end", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    const { codes } = await enableTotp(person);
    const attempt = (code: string | undefined) => post("session/proof", person.headers, { code });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push((await attempt("000000-1")).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect((await attempt(codes[0])).json()).toMatchObject({ code: "second_factor_locked" });
  });
});

test("the second factor is asked of no session that is signed in, and no request of another site", async () => {
  const person = await openPerson(bed, { role: "owner", password });
  const done = await post("session/factor", person.headers, { code: "123456" });
  expect(done.json()).toMatchObject({ code: "second_factor_done" });
  const foreign = { ...person.headers, origin: "https://evil.example" };
  for (const path of ["session/factor", "me/totp", "me/passkeys/options"])
    expect((await post(path, foreign, { code: "123456" })).json()).toMatchObject({
      code: "origin_refused",
    });
  for (const path of ["session/passkey/options", "session/passkey"])
    expect((await post(path, { origin: "https://evil.example" })).statusCode).toBe(
      path === "session/passkey" ? 400 : 403,
    );
});

async function addPasskey({ headers }: TestPerson, authenticator: Authenticator, name = "laptop") {
  const begun = await post("me/passkeys/options", headers);
  const credential = authenticator.create(begun.json<{ options: unknown }>().options);
  return post("me/passkeys", headers, { name, credential });
}

async function usePasskey(authenticator: Authenticator, remoteAddress?: string) {
  const begun = await post("session/passkey/options", { origin }, {}, remoteAddress);
  const credential = authenticator.get(begun.json<{ options: unknown }>().options);
  return post("session/passkey", { origin }, { credential }, remoteAddress);
}

describe("a person with a passkey", () => {
  test("signs in by it without a password, also past an authenticator app", async () => {
    const person = await openPerson(bed, { role: "owner" });
    await enableTotp(person);
    const authenticator = createAuthenticator(origin);
    expect((await addPasskey(person, authenticator)).json()).toMatchObject({ name: "laptop" });
    const answer = await usePasskey(authenticator);
    expect(answer.json()).toEqual({ status: "signed_in" });
    const headers = browserOf(answer);
    expect((await get("me", headers)).json()).toMatchObject({ personId: person.personId });
    const { passkeys } = (await get("me/passkeys", headers)).json();
    expect(passkeys).toEqual([
      {
        passkeyId: expect.any(String),
        name: "laptop",
        createdAt: expect.any(String),
        usedAt: expect.any(String),
      },
    ]);
  });

  test("removes it, nobody else does, and it signs nobody in afterwards", async () => {
    const person = await openPerson(bed, { role: "owner", password });
    const other = await openPerson(bed, { role: "owner" });
    const authenticator = createAuthenticator(origin);
    const { passkeyId } = (await addPasskey(person, authenticator)).json<{ passkeyId: string }>();
    const remove = (headers: Headers) =>
      api.inject({
        method: "DELETE",
        url: `/api/v1/me/passkeys?passkeyId=${passkeyId}`,
        headers,
      });
    expect((await remove(other.headers)).json()).toMatchObject({ code: "passkey_not_found" });
    expect((await remove(person.headers)).statusCode).toBe(200);
    expect((await usePasskey(authenticator)).json()).toMatchObject({ code: "passkey_refused" });
    const actions = await bed.database.sql<{ action: string }>(
      "select action from audit_entries where person_id = $1 and action like 'passkey.%' order by id",
      [person.personId],
    );
    expect(actions.map(({ action }) => action)).toEqual(["passkey.create", "passkey.remove"]);
  });

  test("keeps the last one where there is no other way to sign in, also when two are removed at once", async () => {
    const person = await openPerson(bed, { role: "owner" });
    const authenticator = createAuthenticator(origin);
    const added = [
      await addPasskey(person, authenticator),
      await addPasskey(person, authenticator),
    ];
    const { headers } = person;
    const answers = await Promise.all(
      added.map((each) => {
        const { passkeyId } = each.json<{ passkeyId: string }>();
        const url = `/api/v1/me/passkeys?passkeyId=${passkeyId}`;
        return api.inject({ method: "DELETE", url, headers });
      }),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const { passkeys } = (await get("me/passkeys", headers)).json<{ passkeys: unknown[] }>();
    expect(passkeys).toHaveLength(1);
  });

  test("is not kept out by others: refused passkeys count for their address alone", async () => {
    const person = await openPerson(bed, { role: "owner" });
    const authenticator = createAuthenticator(origin);
    await addPasskey(person, authenticator);
    const stranger = createAuthenticator(origin);
    stranger.create({ challenge: "", rp: { id: "studio.example" }, user: { id: "AAAA" } });
    const statuses: number[] = [];
    for (let index = 0; index < 31; index++)
      statuses.push((await usePasskey(stranger, "198.51.100.9")).statusCode);
    expect(statuses.slice(0, 30).every((status) => status === 401)).toBe(true);
    expect(statuses[30]).toBe(429);
    expect((await usePasskey(authenticator)).json()).toEqual({ status: "signed_in" });
  });
});

test("of a person who is deleted no factor is left", async () => {
  const person = await openPerson(bed, { role: "owner", password });
  await enableTotp(person);
  await addPasskey(person, createAuthenticator(origin));
  await bed.database.sql("delete from people where id = $1", [person.personId]);
  for (const table of ["totp_factors", "recovery_codes", "passkeys", "passkey_challenges"])
    expect(
      await bed.database.sql(`select 1 from ${table} where person_id = $1`, [person.personId]),
      table,
    ).toEqual([]);
});
