import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasSession, oidcPath, openOidcBed } from "../../../test/harness/oidc-bed.ts";
import type { Lies } from "../../../test/harness/openid-provider.ts";

type Headers = Record<string, string>;

let oidc: Awaited<ReturnType<typeof openOidcBed>>;
beforeAll(async () => {
  oidc = await openOidcBed();
});
afterAll(() => oidc[Symbol.asyncDispose]());
beforeEach(() => oidc.renew());

describe("an answer of the provider is refused", () => {
  const lies: Record<string, Omit<Lies, "user">> = {
    "with another nonce": { idToken: (claims) => ({ ...claims, nonce: "another" }) },
    "without a nonce": { idToken: ({ nonce: _, ...claims }) => claims },
    "for another audience": { idToken: (claims) => ({ ...claims, aud: "another-client" }) },
    "of another issuer": { idToken: (claims) => ({ ...claims, iss: "https://evil.example" }) },
    "that has expired": { idToken: (claims) => ({ ...claims, exp: 1_000 }) },
    "signed with another key": { isKeyForeign: true },
    "with another state": { state: () => "another-state" },
    "without a state": { state: () => "" },
  };
  test.each(Object.entries(lies))("%s", async (_name, lie) => {
    await oidc.openCompanyPerson();
    oidc.provider.lies = { ...lie, user: oidc.provider.lies.user };
    const answer = await oidc.visit();
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: "oidc_refused" });
    expect(hasSession(answer)).toBe(false);
    oidc.provider.lies = { user: oidc.provider.lies.user };
    expect((await oidc.visit()).statusCode).toBe(303);
  });

  test("a second time", async () => {
    await oidc.openCompanyPerson();
    const { url, cookie } = await oidc.begin();
    const back = await oidc.provider.visit(url);
    expect((await oidc.comeBack(back, cookie)).statusCode).toBe(303);
    const replayed = await oidc.comeBack(back, cookie);
    expect(replayed.json()).toMatchObject({ code: "oidc_refused" });
  });

  test("when its code was redeemed before, or belongs to another visit", async () => {
    await oidc.openCompanyPerson();
    const [one, two] = [await oidc.begin(), await oidc.begin()];
    const used = await oidc.provider.visit(one.url);
    const other = await oidc.provider.visit(two.url);
    other.searchParams.set("code", used.searchParams.get("code") ?? "");
    expect((await oidc.comeBack(other, two.cookie)).json()).toMatchObject({ code: "oidc_refused" });
    // The provider has ended the code by now.
    expect((await oidc.comeBack(used, one.cookie)).json()).toMatchObject({ code: "oidc_refused" });
  });

  test("in a browser that did not begin the visit, which signs nobody else in", async () => {
    await oidc.openCompanyPerson();
    const [victim, thief] = [await oidc.begin(), await oidc.begin()];
    const back = await oidc.provider.visit(thief.url);
    for (const cookie of ["", victim.cookie, "__Host-oidc=guess"])
      expect((await oidc.comeBack(back, cookie)).json()).toMatchObject({ code: "oidc_refused" });
    // The visit is still good for the browser that began it.
    expect((await oidc.comeBack(back, thief.cookie)).statusCode).toBe(303);
  });

  test("more than ten minutes after the visit began", async () => {
    await oidc.openCompanyPerson();
    const { url, cookie } = await oidc.begin();
    await oidc.bed.database.sql("update oidc_visits set expires_at = now() - interval '1 second'");
    const late = await oidc.comeBack(await oidc.provider.visit(url), cookie);
    expect(late.json()).toMatchObject({ code: "oidc_refused" });
    await oidc.begin(); // deletes the expired one
    expect(await oidc.bed.database.sql("select 1 from oidc_visits")).toHaveLength(1);
  });

  test("that is an error", async () => {
    const { url, cookie } = await oidc.begin();
    const back = await oidc.provider.visit(url);
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    const answer = await oidc.comeBack(back, cookie);
    expect(answer.json()).toMatchObject({ code: "oidc_refused" });
  });
});

test("the cookie of a visit is for this host alone, short-lived, and the database has only hashes", async () => {
  const { answer, url, cookie } = await oidc.begin();
  expect(answer.headers["set-cookie"]).toMatch(
    /^__Host-oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const state = new URL(url).searchParams.get("state") ?? "none";
  const rows = JSON.stringify(await oidc.bed.database.sql("select * from oidc_visits"));
  expect(rows).not.toContain(state);
  expect(rows).not.toContain(cookie.split("=")[1]);
  expect(url).not.toContain(cookie.split("=")[1]);
});

test("no sign-in leads to another site, nor is begun by one", async () => {
  for (const returnTo of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:0",
  ])
    expect((await oidc.begin({ returnTo })).answer.json(), returnTo).toMatchObject({
      code: "invalid_parameters",
      param: "returnTo",
    });
  for (const headers of [{ origin: "https://evil.example" }, {}] as Headers[])
    expect((await oidc.begin({}, headers)).answer.json()).toMatchObject({ code: "origin_refused" });
});

test("an address that returns wrongly again and again is refused, and others are not", async () => {
  const send = (remoteAddress: string) =>
    oidc.api.inject({ url: `${oidcPath}/callback?state=x&code=y`, remoteAddress });
  const statuses: number[] = [];
  for (let index = 0; index < 31; index++) statuses.push((await send("198.51.100.7")).statusCode);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
  expect((await send("198.51.100.8")).statusCode).toBe(401);
});
