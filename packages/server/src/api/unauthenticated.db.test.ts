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

/** How many connections are taken from the pool while this runs. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = () => count++;
  bed.ctx.pool.on("acquire", add);
  await work().finally(() => bed.ctx.pool.off("acquire", add));
  return count;
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

test("an address that keeps sending keys that do not exist gets 429, and costs no more queries", async () => {
  const address = newAddress();
  const guess = () => ask(newApiKey().key, address);
  for (let i = 0; i < failuresMax; i++) expect((await guess()).outcome).toBe("401 unauthorized");
  const queries = await countQueries(async () => {
    const { outcome, retryAfter } = await guess();
    expect(outcome).toBe("429 rate_limited");
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect((await ask("no key at all", address)).outcome).toBe("429 rate_limited");
  });
  expect(queries).toBe(0);
});

test("guesses from its own address do not stop a key that was used before, nor other addresses", async () => {
  const address = newAddress();
  const customer = await bed.openAccount();
  const hasty = await buildApi(bed.ctx, { rememberKeyMs: 1 }); // looks the key up every time
  expect((await ask(customer.key, address, {}, hasty)).outcome).toBe("200");
  for (let i = 0; i <= failuresMax; i++) await ask(newApiKey().key, address, {}, hasty);
  expect((await ask(newApiKey().key, address, {}, hasty)).outcome).toBe("429 rate_limited");
  expect((await ask(customer.key, address, {}, hasty)).outcome).toBe("200");
  expect((await ask(newApiKey().key, newAddress(), {}, hasty)).outcome).toBe("401 unauthorized");
  await hasty.close();
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
  for (let i = 0; i < failuresMax; i++)
    expect((await ask("none", `2001:db8:7:7::${i}`)).outcome).toBe("401 unauthorized");
  expect((await ask("none", "2001:db8:7:7:ffff::1")).outcome).toBe("429 rate_limited");
  expect((await ask("none", "2001:db8:7:8::1")).outcome).toBe("401 unauthorized");
});

test("X-Forwarded-For is ignored unless TRUST_PROXY says how many proxies write it", async () => {
  const from = (address: string) => ({ "x-forwarded-for": `203.0.113.99, ${address}` });
  const proxy = newAddress();
  for (let i = 0; i < failuresMax; i++) await ask("none", proxy, from(`203.0.113.${i}`));
  expect((await ask("none", proxy, from("203.0.113.50"))).outcome).toBe("429 rate_limited");

  const behind = {
    ...bed.ctx,
    config: { ...bed.ctx.config, api: { ...bed.ctx.config.api, proxies: 1 } },
  };
  const trusting = await buildApi(behind);
  for (let i = 0; i < failuresMax; i++) await ask("none", proxy, from("203.0.113.7"), trusting);
  expect((await ask("none", proxy, from("203.0.113.7"), trusting)).outcome).toBe(
    "429 rate_limited",
  );
  expect((await ask("none", proxy, from("203.0.113.8"), trusting)).outcome).toBe(
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
      const [row] = await bed.database.sql<{ count: number }>(
        "select count(*)::int as count from pg_locks where not granted",
      );
      return (row?.count ?? 0) > 0;
    },
    waitLimits,
  );
  expect((await ask(customer.key, newAddress())).outcome).toBe("200");
  expect(bed.ctx.pool.waitingCount).toBe(0);
  await owner.query("rollback");
  await owner.end();
  const answers = new Set((await Promise.all(guesses)).map(({ outcome }) => outcome));
  expect(
    [...answers].filter((outcome) => !/^(401 unauthorized|503 service_unavailable)$/.test(outcome)),
  ).toEqual([]);
});
