import { generateSync } from "otplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthenticator } from "../../../test/harness/authenticator.ts";
import { cookiesOf } from "../../../test/harness/oidc-bed.ts";
import { openPerson, signIn } from "../../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../../test/harness/test-context.ts";
import { buildApi } from "../../api/build-api.ts";
import type { PersonId } from "../../ids.ts";
import { linkByHand } from "../link-by-hand.ts";
import { inviteStaffByHand } from "./change-staff.ts";

const password = "correct horse battery staple";
const origin = "http://127.0.0.1:8080";
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ STAFF_SECOND_FACTOR: "always" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

type Headers = Record<string, string>;
const get = (url: string, headers: Headers) => api.inject({ url: `/api/${url}`, headers });
const post = (path: string, headers: Headers, payload: object = {}) =>
  api.inject({ method: "POST", url: `/api/v1/${path}`, headers, payload });
const required = { code: "second_factor_required" };

test("a password alone opens nothing of the staff's, for nobody of the staff; what is one's own stays open", async () => {
  for (const staff of ["operator", "support", "reviewer"] as const) {
    const person = await openPerson(bed, { staff, role: "owner", password });
    const { headers } = await signIn(api, bed, { email: person.email, password });
    expect((await get("admin/v1/review", headers)).json()).toMatchObject(required);
    expect((await get("v1/me", headers)).statusCode).toBe(200);
    expect((await get("v1/account/credits", headers)).statusCode).toBe(200);
  }
});

/** Sets the time at which an invitation or a reset link set the password, an hour ago or less. */
const linked = (personId: PersonId, minutes = 0) =>
  bed.database.sql(
    "update people set password_linked_at = now() - $2 * interval '1 minute' where id = $1",
    [personId, minutes],
  );

async function enrol(headers: Headers): Promise<string[]> {
  const { secret } = (await post("me/totp", headers)).json<{ secret: string }>();
  const code = generateSync({ secret });
  const confirmed = await post("me/totp/confirm", headers, { code });
  return confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes;
}

test("the first operator sets up an authenticator app in the session of the link and goes on; the next session needs its code", async () => {
  const email = "ada@example.com";
  const actor = { kind: "command", user: "root", address: null, requestId: null } as const;
  const { token } = await inviteStaffByHand(bed.ctx, actor, { email, role: "operator" });
  const payload = { token, name: "Ada", password };
  const accepted = await post("invitation/accept", { origin }, payload);
  const first = { origin, cookie: cookiesOf(accepted) };
  expect((await get("admin/v1/staff", first)).json()).toMatchObject(required);
  const before = await signIn(api, bed, { email, password });
  const recoveryCodes = await enrol(first);
  expect((await get("admin/v1/staff", first)).statusCode).toBe(200);
  expect((await get("admin/v1/staff", before.headers)).json()).toMatchObject(required);
  const next = await signIn(api, bed, { email, password });
  const passed = await post("session/factor", next.headers, { code: recoveryCodes[0] });
  const cookie = cookiesOf(passed);
  expect((await get("admin/v1/staff", { origin, cookie })).statusCode).toBe(200);
});

test("a guessed password of somebody of the staff without a factor cannot enrol one, nor change the address", async () => {
  const linkRequired = { code: "factor_link_required" };
  for (const staff of ["operator", "support", "reviewer"] as const) {
    const person = await openPerson(bed, { staff, password });
    await linked(person.personId, 61);
    const { headers } = await signIn(api, bed, { email: person.email, password });
    expect((await post("me/totp", headers)).json()).toMatchObject(linkRequired);
    const confirmed = await post("me/totp/confirm", headers, { code: "123456" });
    expect(confirmed.json()).toMatchObject(linkRequired);
    expect((await post("me/passkeys/options", headers)).json()).toMatchObject(linkRequired);
    const address = { email: "eve@example.com", password };
    expect((await post("me/email", headers, address)).json()).toMatchObject(required);
  }
  const customer = await openPerson(bed, { role: "owner", password });
  const own = await signIn(api, bed, { email: customer.email, password });
  expect((await post("me/totp", own.headers)).statusCode).toBe(200);
});

test("somebody of the staff without a factor sets one up after a password by the link of a command", async () => {
  const person = await openPerson(bed, { staff: "operator", password });
  const actor = { kind: "command", user: "root", address: null, requestId: null } as const;
  const { token } = await linkByHand(bed.ctx.db, actor, person.email);
  const reset = { token, password: "another horse in the battery" };
  expect((await post("password/reset", { origin }, reset)).statusCode).toBe(200);
  const { headers } = await signIn(api, bed, { email: person.email, password: reset.password });
  await enrol(headers);
  expect((await get("admin/v1/staff", headers)).statusCode).toBe(200);
});

test("a session by password becomes one with a second factor by a proof with a passkey, and enrols nothing before", async () => {
  const person = await openPerson(bed, { staff: "operator", password });
  await linked(person.personId);
  const authenticator = createAuthenticator(origin);
  const begun = await post("me/passkeys/options", person.headers);
  const credential = authenticator.create(begun.json<{ options: object }>().options);
  await post("me/passkeys", person.headers, { name: "Key", credential });
  const { headers } = await signIn(api, bed, { email: person.email, password });
  expect((await get("admin/v1/staff", headers)).json()).toMatchObject(required);
  expect((await post("me/totp", headers)).json()).toMatchObject(required);
  const { options } = (await post("session/proof/passkey/options", headers)).json<{
    options: object;
  }>();
  await post("session/proof", headers, { credential: authenticator.get(options) });
  expect((await get("admin/v1/staff", headers)).statusCode).toBe(200);
  expect((await post("me/totp", headers)).statusCode).toBe(200);
});

test("it is asked for in production, unless the setting says never", async () => {
  const person = await openPerson(bed, { staff: "operator" });
  const statusOf = async (staffSecondFactor: "production" | "never", isProduction: boolean) => {
    const admin = { ...bed.ctx.config.admin, staffSecondFactor };
    const config = { ...bed.ctx.config, admin, isProduction };
    const other = await buildApi({ ...bed.ctx, config });
    const { statusCode } = await other.inject({
      url: "/api/admin/v1/staff",
      headers: person.headers,
    });
    await other.close();
    return statusCode;
  };
  expect(await statusOf("production", true)).toBe(403);
  expect(await statusOf("production", false)).toBe(200);
  expect(await statusOf("never", true)).toBe(200);
});
