import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStream } from "../../test/harness/event-stream.ts";
import { openPerson, signIn } from "../../test/harness/open-person.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import { buildApi } from "../api/build-api.ts";
import { createTask } from "../generation/create-task.ts";
import { memberRoles } from "../ids.ts";
import { createSubscriptions, type Subscriptions } from "../live/subscriptions.ts";
import { readStates } from "../upscale/read-states.ts";

const password = "correct horse battery staple";
let bed: TestBed;
let subscriptions: Subscriptions;
let api: Awaited<ReturnType<typeof buildApi>>;
let url: string;
beforeAll(async () => {
  bed = await openTestBed();
  const readAll = createSubscriptions(bed.ctx, (ids) => readStates(bed.ctx, ids), {
    checkKeysMs: 200,
  });
  subscriptions = readAll;
  api = await buildApi(bed.ctx, {}, { subscriptions });
  url = await api.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

type Headers = Record<string, string>;
const get = (path: string, headers: Headers) => api.inject({ url: `/api/v1/${path}`, headers });
const post = (path: string, headers: Headers, payload: object = {}) =>
  api.inject({ method: "POST", url: `/api/v1/${path}`, headers, payload });
const task = { model: "sd2", inputs: { prompt: "a fox" } };

describe("signing in", () => {
  test("sets a cookie for this host alone that scripts cannot read, and reads the person", async () => {
    const { email, accountId } = await openPerson(bed, { role: "owner", password });
    const given = { email: email.toUpperCase(), password };
    const { answer, headers } = await signIn(api, bed, given);
    expect(answer.json()).toEqual({ status: "signed_in" });
    const [cookie = ""] = [answer.headers["set-cookie"] ?? []].flat();
    expect(cookie).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await get("me", headers)).json()).toMatchObject({
      email,
      accounts: [{ accountId, name: "test", role: "owner", testAccountId: null }],
      staffRole: null,
    });
  });

  test("stores only a hash of the token", async () => {
    const { email, personId } = await openPerson(bed, { role: "owner", password });
    const { answer } = await signIn(api, bed, { email, password });
    const token = answer.cookies[0]?.value ?? "";
    const rows = await bed.database.sql("select * from sessions where person_id = $1", [personId]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("with a wrong password, of a person without one, or of nobody is refused in the same way", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    const { email: without } = await openPerson(bed, { role: "owner" });
    for (const given of [email, without, "nobody@example.com"]) {
      const { answer } = await signIn(api, bed, { email: given, password: "wrong" });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ code: "sign_in_failed" });
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test("keeps at most 20 sessions of a person: the oldest ends", async () => {
    const first = await openPerson(bed, { role: "owner", password });
    for (let n = 0; n < 20; n++) await signIn(api, bed, { email: first.email, password });
    const rows = await bed.database.sql("select from sessions where person_id = $1", [
      first.personId,
    ]);
    expect(rows).toHaveLength(20);
    expect((await get("me", first.headers)).statusCode).toBe(401);
  });
});

describe("a session", () => {
  test("that was signed out is refused at once, also by another process", async () => {
    const other = await buildApi(bed.openAnother());
    const { headers } = await openPerson(bed, { role: "owner" });
    const ask = () => other.inject({ url: "/api/v1/me", headers });
    expect((await ask()).statusCode).toBe(200);
    const answer = await api.inject({ method: "DELETE", url: "/api/v1/session", headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["set-cookie"]).toContain("Max-Age=0");
    expect((await ask()).json()).toMatchObject({ code: "signed_out" });
    expect((await get("me", headers)).statusCode).toBe(401);
    await other.close();
  });

  test.each([
    ["is older than 30 days", "expires_at = now()"],
    ["was not used for 7 days", "last_used_at = now() - interval '7 days'"],
    ["still misses its second factor", "awaits_factor = true"],
  ])("that %s is refused", async (_what, change) => {
    const { headers, sessionId } = await openPerson(bed, { role: "owner" });
    await bed.database.sql(`update sessions set ${change} where id = $1`, [sessionId]);
    for (const path of ["me", "account/credits"])
      expect((await get(path, headers)).json()).toMatchObject({ code: "signed_out" });
  });

  test("that ends, or whose person leaves the account, ends its streams", async () => {
    for (const end of ["delete from sessions", "delete from members"]) {
      const { headers, personId, accountId } = await openPerson(bed, { role: "viewer" });
      const stay = await openPerson(bed, { role: "viewer", accountId });
      const caller = { ...(await bed.openAccount()), id: accountId, keyId: null };
      const { taskId } = await createTask(bed.ctx, caller, task, null);
      const query = `${url}/api/v1/jobs/queryTask?taskId=${taskId}`;
      const before = subscriptions.count();
      const stream = await openStream(query, headers);
      const kept = await openStream(query, stay.headers);
      await waitUntil("two wait", () => subscriptions.count() === before + 2, {
        timeoutMs: 300_000,
      });
      await bed.database.sql(`${end} where person_id = $1`, [personId]);
      expect(await stream.end).toBe("ended");
      expect(subscriptions.count()).toBe(before + 1);
      kept.leave();
    }
  });
});

describe("a request with a session", () => {
  test.each([
    ["from another origin", { origin: "https://evil.example" }],
    ["from a page without an origin", { origin: "null" }],
    ["that another site sent", { "sec-fetch-site": "cross-site" }],
    ["that a sibling domain sent", { "sec-fetch-site": "same-site" }],
  ])("%s writes nothing", async (_what, changes) => {
    const { headers, accountId } = await openPerson(bed, { role: "owner" });
    const answer = await post("jobs/createTask", { ...headers, ...changes }, task);
    expect(answer.json()).toMatchObject({ code: "origin_refused" });
    const out = await api.inject({
      method: "DELETE",
      url: "/api/v1/session",
      headers: { ...headers, ...changes },
    });
    expect(out.statusCode).toBe(403);
    expect(await bed.database.sql("select from tasks where account_id = $1", [accountId])).toEqual(
      [],
    );
  });

  test("without an origin writes nothing, and from another site reads nothing", async () => {
    const { headers } = await openPerson(bed, { role: "owner" });
    const { cookie = "" } = headers;
    expect((await post("jobs/createTask", { cookie }, task)).statusCode).toBe(403);
    expect((await get("account/credits", { cookie })).statusCode).toBe(200);
    const foreign = { cookie, "sec-fetch-site": "cross-site" };
    expect((await get("account/credits", foreign)).statusCode).toBe(403);
  });

  test("signs nobody in from another origin", async () => {
    const { email } = await openPerson(bed, { role: "owner", password });
    const foreign = { origin: "https://evil.example" };
    const { answer } = await signIn(api, bed, { email, password }, foreign);
    expect(answer.json()).toMatchObject({ code: "origin_refused" });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("creates a task that is nobody's key's, which the account's keys can read", async () => {
    const account = await bed.openAccount();
    const { headers } = await openPerson(bed, { role: "developer", accountId: account.id });
    const made = await post("jobs/createTask", headers, task);
    expect(made.statusCode).toBe(200);
    const { taskId } = made.json<{ taskId: string }>();
    const authorization = `Bearer ${account.key}`;
    expect((await get(`jobs/queryTask?taskId=${taskId}`, { authorization })).statusCode).toBe(200);
  });

  test("acts in the account that the header names, also its test account, and in no other", async () => {
    const { headers, personId, accountId } = await openPerson(bed, { role: "owner" });
    const second = await bed.openAccount({ credits: 7 });
    const foreign = await bed.openAccount();
    const { accountId: testId } = await createTestAccount(bed.ctx, accountId);
    await bed.database.sql("insert into members values ($1, $2, 'viewer')", [personId, second.id]);
    const read = (named: string | null) =>
      get("account/credits", named === null ? headers : { ...headers, "zoetrope-account": named });
    expect((await read(null)).json()).toMatchObject({ code: "account_required" });
    expect((await read(accountId)).json()).toMatchObject({ credits: 10_000 });
    expect((await read(second.id)).json()).toMatchObject({ credits: 7 });
    expect((await read(testId)).json()).toMatchObject({ credits: 0 });
    for (const named of [foreign.id, "nonsense", personId])
      expect((await read(named)).json()).toMatchObject({ code: "not_a_member" });
  });

  test("reads as a viewer, writes and reads secrets as a developer", async () => {
    const { id: accountId } = await bed.openAccount();
    const statuses = new Map<string, number[]>();
    for (const role of memberRoles) {
      const { headers } = await openPerson(bed, { role, accountId });
      const read = await get("account/credits", headers);
      const secret = await get("webhooks/secret", headers);
      const write = await post("jobs/createTask", headers, task);
      statuses.set(role, [read.statusCode, secret.statusCode, write.statusCode]);
    }
    expect(Object.fromEntries(statuses)).toEqual({
      owner: [200, 200, 200],
      developer: [200, 200, 200],
      viewer: [200, 403, 403],
    });
  });

  test("is not of staff unless the person is, and staff need no account", async () => {
    const { headers } = await openPerson(bed, { staff: "support" });
    expect((await get("me", headers)).json()).toMatchObject({ accounts: [], staffRole: "support" });
    expect((await get("account/credits", headers)).json()).toMatchObject({
      code: "account_required",
    });
  });
});

test("a key calls nothing that is for people", async () => {
  const { key } = await bed.openAccount();
  const answer = await get("me", { authorization: `Bearer ${key}` });
  expect(answer.json()).toMatchObject({ code: "person_required" });
  expect((await get("me", {})).json()).toMatchObject({ code: "signed_out" });
});
