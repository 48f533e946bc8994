import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { newApiKey } from "../accounts/api-key.ts";
import { insertKey } from "../accounts/keys/queries.ts";
import { newId } from "../ids.ts";
import { buildApi } from "./build-api.ts";

const failuresMax = 5;
const waitLimits = { timeoutMs: 300_000 };
type Api = Awaited<ReturnType<typeof buildApi>>;

let bed: TestBed;
let api: Api;
let addresses = 0;
beforeAll(async () => {
  bed = await openTestBed({ FAILED_AUTHENTICATIONS_PER_MINUTE_MAX: String(failuresMax) });
  api = await buildApi(bed.ctx, { rememberUnknownKeyMs: 60_000 });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

/** One that no other test counts under. */
const newAddress = () => `198.18.${++addresses >> 8}.${addresses & 255}`;

async function ask(key: string, remoteAddress: string, headers = {}, through = api) {
  const answer = await through.inject({
    url: "/api/v1/account/credits",
    remoteAddress,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return {
    outcome: `${answer.statusCode} ${answer.json().code ?? ""}`.trim(),
    retryAfter: answer.headers["retry-after"],
  };
}

/** Returns the number of connections that are taken from the pool while this runs. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const before = bed.ctx.pool.usage().taken;
  await work();
  return bed.ctx.pool.usage().taken - before;
}

test("an unknown key costs one query, however often and from however many at once it comes", async () => {
  const { key } = newApiKey();
  const queries = await countQueries(async () => {
    const many = Array.from({ length: 50 }, () => ask(key, newAddress()));
    for (const { outcome } of await Promise.all(many)) expect(outcome).toBe("401 unauthorized");
    expect((await ask(key, newAddress())).outcome).toBe("401 unauthorized");
  });
  expect(queries).toBe(1);
});

test("a wave of valid keys that this process has not seen is looked up in few queries, and none is refused", async () => {
  const accounts: Awaited<ReturnType<typeof bed.openAccount>>[] = [];
  for (let count = 0; count < 300; count++) accounts.push(await bed.openAccount());
  const identify = (key: string) =>
    api.inject({
      url: "/api/v1/jobs/queryTask?taskId=no-id",
      remoteAddress: newAddress(),
      headers: { authorization: `Bearer ${key}` },
    });
  const queries = await countQueries(async () => {
    const answers = await Promise.all(accounts.map(({ key }) => identify(key)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
  });
  expect(queries).toBeLessThan(accounts.length / 3);
});

test("a key that is created after it was refused works once the refusal is forgotten", async () => {
  const { id: accountId } = await bed.openAccount();
  const forgetful = await buildApi(bed.ctx, { rememberUnknownKeyMs: 100 });
  const { key, hash, hint } = newApiKey();
  expect((await ask(key, newAddress(), {}, forgetful)).outcome).toBe("401 unauthorized");
  const limits = {
    expiresAt: null,
    models: null,
    requestsPerMinuteMax: null,
    creditsMax: null,
    scopes: null,
  };
  await insertKey(bed.ctx.db, { id: newId(0), accountId, name: "late", hint, hash, ...limits });
  await waitUntil(
    "the new key works",
    async () => {
      const { outcome } = await ask(key, newAddress(), {}, forgetful);
      return outcome === "200";
    },
    waitLimits,
  );
  await forgetful.close();
});

test("an address that keeps sending keys that do not exist gets 429, and costs one query each at most", async () => {
  const address = newAddress();
  const guess = (key = newApiKey().key) => ask(key, address);
  for (let i = 0; i < failuresMax; i++) expect((await guess()).outcome).toBe("401 unauthorized");
  const { key } = newApiKey();
  const queries = await countQueries(async () => {
    for (let i = 0; i < 3; i++) {
      const { outcome, retryAfter } = await guess(key);
      expect(outcome).toBe("429 rate_limited");
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
  });
  expect(queries).toBe(1);
});

test("a missing or malformed key is a 401, however many were sent before, and counts against nobody", async () => {
  const address = newAddress();
  const send = async (headers: Record<string, string>) => {
    const { statusCode } = await api.inject({
      url: "/api/v1/account/credits",
      remoteAddress: address,
      headers,
    });
    return statusCode;
  };
  const queries = await countQueries(async () => {
    for (let i = 0; i < 3 * failuresMax; i++) {
      expect(await send({ authorization: "Bearer nope" })).toBe(401);
      expect(await send({})).toBe(401);
      expect(await send({ cookie: "__Host-session=nope" })).toBe(401);
    }
  });
  expect(queries).toBe(0);
  expect((await ask(newApiKey().key, address)).outcome).toBe("401 unauthorized"); // the first that counts
  for (let i = 0; i < failuresMax; i++) await ask(newApiKey().key, address);
  expect((await ask(newApiKey().key, address)).outcome).toBe("429 rate_limited");
  expect((await ask("nope", address)).outcome).toBe("401 unauthorized");
});

test("a valid key that this process has not seen works, however many guesses come from its address", async () => {
  const address = newAddress();
  const guesses = Array.from({ length: 20 * failuresMax }, () => ask(newApiKey().key, address));
  const { key } = await bed.openAccount();
  expect((await ask(key, address)).outcome).toBe("200");
  await Promise.all(guesses);
  const { key: another } = await bed.openAccount();
  expect((await ask(another, address)).outcome).toBe("200");
  expect((await ask(newApiKey().key, newAddress())).outcome).toBe("401 unauthorized"); // nor are other addresses stopped
});

test.each([
  ["several spaces", (key: string) => `Bearer   ${key}`, 200],
  ["a tab", (key: string) => `bearer\t${key}`, 200],
  ["a third word", (key: string) => `Bearer ${key} junk`, 401],
  ["no scheme", (key: string) => key, 401],
])("a key with %s", async (_name, headerOf, status) => {
  const { key } = await bed.openAccount();
  const headers = { authorization: headerOf(key) };
  const { statusCode } = await api.inject({ url: "/api/v1/account/credits", headers });
  expect(statusCode).toBe(status);
});

test("valid keys never count against their address", async () => {
  const address = newAddress();
  const { key } = await bed.openAccount();
  const first = Array.from({ length: 4 * failuresMax }, () => ask(key, address));
  for (const { outcome } of await Promise.all(first)) expect(outcome).toBe("200");
  for (let i = 0; i < 2 * failuresMax; i++) {
    const { key: another } = await bed.openAccount();
    expect((await ask(another, address)).outcome).toBe("200");
  }
});

test("the addresses of one IPv6 network count as one", async () => {
  const guess = (address: string) => ask(newApiKey().key, address);
  for (let i = 0; i < failuresMax; i++)
    expect((await guess(`2001:db8:7:7::${i}`)).outcome).toBe("401 unauthorized");
  expect((await guess("2001:db8:7:7:ffff::1")).outcome).toBe("429 rate_limited");
  expect((await guess("2001:db8:7:8::1")).outcome).toBe("401 unauthorized");
});

test("X-Forwarded-For is ignored unless TRUST_PROXY says how many proxies write it", async () => {
  const from = (address: string) => ({ "x-forwarded-for": `203.0.113.99, ${address}` });
  const proxy = newAddress();
  for (let i = 0; i < failuresMax; i++) await ask(newApiKey().key, proxy, from(`203.0.113.${i}`));
  expect((await ask(newApiKey().key, proxy, from("203.0.113.50"))).outcome).toBe(
    "429 rate_limited",
  );

  const behind = {
    ...bed.ctx,
    config: { ...bed.ctx.config, api: { ...bed.ctx.config.api, proxies: 1 } },
  };
  const trusting = await buildApi(behind);
  for (let i = 0; i < failuresMax; i++)
    await ask(newApiKey().key, proxy, from("203.0.113.7"), trusting);
  expect((await ask(newApiKey().key, proxy, from("203.0.113.7"), trusting)).outcome).toBe(
    "429 rate_limited",
  );
  expect((await ask(newApiKey().key, proxy, from("203.0.113.8"), trusting)).outcome).toBe(
    "401 unauthorized",
  );
  await trusting.close();
});

test("guesses that wait for the database leave its connections to customers", async () => {
  const customer = await bed.openAccount();
  expect((await ask(customer.key, newAddress())).outcome).toBe("200");
  const owner = new Client({ connectionString: bed.database.ownerUrl });
  await owner.connect();
  await owner.query("begin; lock table api_keys in access exclusive mode");
  const guesses = Array.from({ length: 100 }, () => ask(newApiKey().key, newAddress()));
  await waitUntil(
    "guesses wait",
    async () => {
      const waiting = await bed.database.sql(
        `select from pg_locks
         where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
      );
      return waiting.length > 0;
    },
    waitLimits,
  );
  expect((await ask(customer.key, newAddress())).outcome).toBe("200");
  expect(bed.ctx.pool.usage().waiting).toBe(0);
  await owner.query("rollback");
  await owner.end();
  const answers = new Set((await Promise.all(guesses)).map(({ outcome }) => outcome));
  expect(
    [...answers].filter((outcome) => !/^(401 unauthorized|503 service_unavailable)$/.test(outcome)),
  ).toEqual([]);
});

test("a 401 tells a missing key from a misspelt, a foreign and an unknown one, and repeats none", async () => {
  const { key } = newApiKey();
  const revoked = await bed.openAccount();
  await bed.ctx.db
    .updateTable("api_keys")
    .set({ revoked_at: new Date() })
    .where("account_id", "=", revoked.id)
    .execute();
  const cases: [authorization: string | undefined, says: string][] = [
    [undefined, "There is no API key"],
    ["Basic dXNlcjpwYXNz", "must be 'Bearer <API key>'"],
    ["Bearer ", "must be 'Bearer <API key>'"],
    ["Bearer sk-proj-0123456789", "begin with zoe_live_ or zoe_test_"],
    [`Bearer ${key.slice(0, -1)}`, "incomplete or misspelt"],
    [`Bearer ${key}`, "does not know the API key"],
    [`Bearer ${revoked.key}`, "does not know the API key"],
  ];
  for (const [authorization, says] of cases) {
    const { statusCode, body } = await api.inject({
      url: "/api/v1/account/credits",
      remoteAddress: newAddress(),
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([statusCode, JSON.parse(body).code]).toEqual([401, "unauthorized"]);
    expect(JSON.parse(body).message).toContain(says);
    const [, sent = "none"] = (authorization ?? "").split(" ");
    if (sent !== "") expect(body).not.toContain(sent);
  }
});
