import { join } from "node:path";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { type Postgres, startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../accounts/create-account.ts";
import { createKey } from "../accounts/create-key.ts";
import { type Db, inTransaction, isUnavailable } from "../db/database.ts";
import { newId, type TaskId } from "../ids.ts";
import { type OpenContext, openContext } from "../open-context.ts";
import { readConfig } from "../settings/config.ts";
import { buildApi } from "./build-api.ts";

const connections = 3;
/**
 * The maximum time that a client waits, whatever the database does: the time for a connection and a
 * response.
 */
const answerMsMax = 45_000;

const cleanUp = new AsyncDisposableStack();
let postgres: Postgres;
let ctx: OpenContext;
let key: string;
let apiUrl: string;
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("unavailable"));
  postgres = cleanUp.use(await startPostgres({ dir: join(scratch.path, "postgres") }));
  const { service } = await prepareDatabase(postgres, "zoetrope");
  const config = readConfig({
    LOG_LEVEL: "silent",
    DATABASE_URL: service,
    DATABASE_CONNECTIONS_MAX: String(connections),
    PUBLIC_URL: "http://127.0.0.1:8080",
    RESTATE_INGRESS_URL: "http://127.0.0.1:9",
    STORAGE_DIR: scratch.path,
    VENDORS: "[]",
    VENDOR_CALLBACK_SECRET: "0123456789abcdef0123456789abcdef",
  });
  ctx = openContext(config, "api");
  cleanUp.defer(() => ctx.close());
  const { accountId } = await createAccount(ctx, { name: "test" });
  key = (await createKey(ctx.db, { accountId, name: "test" })).key;
  const api = await buildApi(ctx);
  cleanUp.defer(() => api.close());
  apiUrl = `${await api.listen({ host: "127.0.0.1", port: 0 })}/api/v1`;
});
afterAll(() => cleanUp.disposeAsync());

const readCredits = () => read("account/credits");

async function read(path: string) {
  const response = await fetch(`${apiUrl}/${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(answerMsMax),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: response.headers.get("retry-after") };
}

const unavailable = { status: 503, code: "service_unavailable", retryAfter: "2" };
const isServed = async () => (await readCredits()).status === 200;

test("a database that stops answering is a 503 within a bounded time, on open and on new connections, and is used again when it goes on", async () => {
  await Promise.all(Array.from({ length: connections }, readCredits)); // all are open now
  const transaction = Promise.withResolvers<void>();
  const frozen = Promise.withResolvers<void>();
  const writing = inTransaction(ctx.db, async (tx) => {
    await tx.selectFrom("accounts").select("id").execute();
    transaction.resolve();
    await frozen.promise;
    await tx.selectFrom("accounts").select("id").execute();
  }).catch((error: unknown) => error);
  await transaction.promise;
  await postgres.freeze();
  try {
    frozen.resolve();
    const answers = await Promise.all(Array.from({ length: 3 * connections }, readCredits));
    // Beyond the share of one account a request waits for the account's others and says so.
    const busy = { ...unavailable, code: "account_busy", retryAfter: "1" };
    for (const answer of answers) expect([unavailable, busy]).toContainEqual(answer);
    expect(answers).toContainEqual(unavailable);
    expect(isUnavailable(await writing)).toBe(true);
  } finally {
    await postgres.thaw();
  }
  await waitUntil("it is served again", isServed, { timeoutMs: 300_000 });
  const all = await Promise.all(Array.from({ length: 3 * connections }, readCredits));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
});

test("a database that is shut down, away and starting is a 503 of every read, and is used again when it is back", async () => {
  await Promise.all(Array.from({ length: connections }, readCredits));
  await postgres.stop();
  const taskId = newId<TaskId>(0);
  const reads = [`jobs/queryTask?taskId=${taskId}`, "assets/status?assetId=1"];
  for (const path of ["account/credits", ...reads, `upscale/query?taskId=${taskId}`])
    expect(await read(path), path).toEqual(unavailable);
  await postgres.restart();
  await waitUntil("it is served again", isServed, { timeoutMs: 300_000 });
});

test("a connection that is lost between two statements of a transaction fails it and nothing else", async () => {
  const failed = await inTransaction(ctx.db, async (tx) => {
    await sql`select pg_terminate_backend(${await pidOf(tx)})`.execute(ctx.db);
    await waitUntil("it is gone", async () => !(await isThere(tx)), { timeoutMs: 300_000 });
    await tx.selectFrom("accounts").select("id").execute();
  }).catch((error: unknown) => error);
  expect(isUnavailable(failed)).toBe(true);
  expect((await readCredits()).status).toBe(200);
});

async function pidOf(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

const isThere = (db: Db) =>
  pidOf(db).then(
    () => true,
    () => false,
  );

test("a pool without a free connection is a 503, and a mistake of ours is not", async () => {
  const taken = await Promise.all(Array.from({ length: connections }, () => ctx.pool.connect()));
  expect(await readCredits()).toEqual(unavailable);
  for (const client of taken) client.release();
  expect((await readCredits()).status).toBe(200);
  expect(isUnavailable(new Error("a mistake"))).toBe(false);
  const broken = await sql`select nonsense`.execute(ctx.db).catch((error: unknown) => error);
  expect(isUnavailable(broken)).toBe(false);
});
