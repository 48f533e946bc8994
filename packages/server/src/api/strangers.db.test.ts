import { randomBytes } from "node:crypto";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { callbackToken } from "../generation/poll/callback-token.ts";
import { newId, type TaskId } from "../ids.ts";
import { buildApi } from "./build-api.ts";

const ark = { name: "ark", kind: "ark", baseUrl: "http://127.0.0.1:9", apiKey: "k" };
const requestsMax = 7;
const refusalsMax = 5;
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
let addresses = 0;
beforeAll(async () => {
  bed = await openTestBed({
    DATABASE_CONNECTIONS_MAX: "8",
    VENDORS: JSON.stringify([ark]),
    DOCUMENTS_PER_MINUTE_MAX: String(requestsMax),
    FAILED_AUTHENTICATIONS_PER_MINUTE_MAX: String(refusalsMax),
  });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});
const newAddress = () => `198.18.${++addresses >> 8}.${addresses & 255}`;

const ours = { origin: "http://127.0.0.1:8080" };
const newToken = () => randomBytes(32).toString("base64url");

interface Asked {
  method?: "GET" | "POST";
  url: string;
  payload?: object | string;
}
async function ask(asked: Asked, remoteAddress: string) {
  const headers = { ...ours, "content-type": "application/json" };
  const { statusCode, payload } = await api.inject({ ...asked, headers, remoteAddress });
  return { statusCode, payload };
}

/** Returns the number of connections that are taken from the pool while this runs. */
async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const before = bed.ctx.pool.usage().taken;
  await work();
  return bed.ctx.pool.usage().taken - before;
}

const post = (url: string, payload: () => object): [string, () => Asked] => [
  url,
  () => ({ method: "POST", url, payload: payload() }),
];
const get = (url: string): [string, () => Asked] => [url, () => ({ url })];

test.each([
  post("/api/v1/invitation/read", () => ({ token: newToken() })),
  post("/api/v1/invitation/accept", () => ({ token: newToken() })),
  post("/api/v1/password/reset", () => ({ token: newToken(), password: "correct horse battery" })),
  post("/api/v1/password/request", () => ({ email: "nobody@example.com" })),
  post("/api/v1/session", () => ({ unknown: "members" })),
  get("/api/v1/session/methods"),
  get("/api/v1/banner"),
  get("/openapi.json"),
  get("/console"),
])(
  "an address asks for %s a number of times a minute; more cost no query and stop no other address",
  async (_name, next) => {
    const address = newAddress();
    for (let i = 0; i < requestsMax; i++)
      expect((await ask(next(), address)).statusCode).not.toBe(429);
    const queries = await countQueries(async () => {
      const refused = await ask(next(), address);
      expect(refused.statusCode).toBe(429);
      expect(JSON.parse(refused.payload).code).toBe("rate_limited");
    });
    expect(queries).toBe(0);
    expect((await ask(next(), newAddress())).statusCode).not.toBe(429);
  },
);

test("links to media are counted where nothing is there", async () => {
  const address = newAddress();
  const guess = () => ask({ url: `/media/assets/${randomBytes(20).toString("hex")}` }, address);
  for (let i = 0; i < refusalsMax; i++) expect((await guess()).statusCode).toBe(404);
  expect((await guess()).statusCode).toBe(429);
  expect((await ask({ url: "/api/v1/banner" }, address)).statusCode).toBe(200); // other routes go on
});

test("a forged callback of a vendor is answered before its body is read, and counted; real ones are not", async () => {
  const address = newAddress();
  const [vendorAccount = ""] = bed.ctx.vendors.keys();
  const taskId = newId<TaskId>(0);
  const at = (token: string) => `/vendors/${vendorAccount}/${taskId}/${token}`;
  const real = at(callbackToken(bed.ctx.config.links.secret, taskId));
  const call = (url: string, payload: string) => ask({ method: "POST", url, payload }, address);
  for (let i = 0; i < 3 * refusalsMax; i++) expect((await call(real, "{}")).statusCode).toBe(200);
  expect((await call(real, "{".repeat(10))).statusCode).toBe(400); // the first that counts
  expect((await call(real, "[".repeat(65_537))).statusCode).toBe(413);
  for (let i = 2; i < refusalsMax; i++)
    expect(await call(at("forged"), "{".repeat(10))).toEqual({ statusCode: 200, payload: "{}" });
  expect((await call(at("forged"), "{}")).statusCode).toBe(429);
});

/** Other tests use the same server of PostgreSQL. */
const waitingSql = `select from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`;

test("strangers who wait for the database do not hold up a key that is looked up", async () => {
  const owner = new Client({ connectionString: bed.database.ownerUrl });
  await owner.connect();
  await owner.query("begin; lock table one_time_links in access exclusive mode");
  const flood = Array.from({ length: 200 }, () =>
    ask(
      { method: "POST", url: "/api/v1/invitation/read", payload: { token: newToken() } },
      newAddress(),
    ),
  );
  await waitUntil("strangers wait", async () => (await bed.database.sql(waitingSql)).length > 0, {
    timeoutMs: 300_000,
  });
  const { key } = await bed.openAccount();
  const headers = { authorization: `Bearer ${key}` };
  const read = await api.inject({ url: "/api/v1/account/credits", headers });
  expect(read.statusCode).toBe(200);
  const waiting = await bed.database.sql(waitingSql);
  expect(waiting.length).toBeLessThanOrEqual(2); // a quarter of the pool
  await owner.query("rollback");
  await owner.end();
  await Promise.all(flood);
});
