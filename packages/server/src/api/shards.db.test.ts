import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../test/harness/fresh-database.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createAccount } from "../accounts/create-account.ts";
import { createKey } from "../accounts/create-key.ts";
import type { Caller } from "../accounts/queries.ts";
import { grantCredits } from "../credits/ledger.ts";
import { openConnections } from "../db/connections.ts";
import { openDatabase } from "../db/database.ts";
import { type AccountId, newId, shardOf, type TaskId } from "../ids.ts";
import type { OpenContext } from "../open-context.ts";
import { openShards } from "../open-context.ts";
import { becomeShard } from "../operator/shards/become-shard.ts";
import { findOwn } from "../tasks/require-own.ts";
import type { OpenApi } from "./build-api.ts";
import { startApi } from "./start-api.ts";

let bed: TestBed;
let second: FreshDatabase;
let shards: [OpenContext, ...OpenContext[]];
let app: OpenApi;
let address: string;

beforeAll(async () => {
  bed = await openTestBed();
  second = await freshDatabase();
  await becomeShard(second.ownerUrl, 1);
  const { config } = bed.ctx;
  const database = { ...config.database, shards: [config.database.url, second.serviceUrl] };
  shards = openShards({ ...config, database, api: { ...config.api, port: 0 } }, "api");
  ({ app, address } = await startApi(shards));
});
afterAll(async () => {
  await app.close();
  await shards[0].close();
  await second.drop();
  await bed[Symbol.asyncDispose]();
});

async function openAccountIn(shard: number) {
  const ctx = shards[shard];
  if (ctx === undefined) throw new Error("there is no such shard");
  const { accountId } = await createAccount(ctx, { name: `of shard ${shard}` });
  const { key, keyId } = await createKey(ctx.db, { accountId, name: "test" });
  await grantCredits(ctx.pool, { accountId, credits: 10_000, note: "test" });
  return { accountId, key, keyId };
}

async function send(key: string, path: string, body?: object, more: Record<string, string> = {}) {
  const response = await fetch(`${address}/api/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

const create = (key: string) =>
  send(key, "jobs/createTask", { model: "sd2", inputs: { prompt: "a fox" } });

const countTasks = async (database: { sql: FreshDatabase["sql"] }, accountId: AccountId) =>
  (await database.sql("select from tasks where account_id = $1", [accountId])).length;

test("an account's requests go to its shard, and its ids and keys carry it", async () => {
  const [one, two] = [await openAccountIn(0), await openAccountIn(1)];
  for (const [account, shard] of [
    [one, 0],
    [two, 1],
  ] as const) {
    expect(shardOf(account.accountId)).toBe(shard);
    expect(shardOf(account.keyId)).toBe(shard);
    const created = await create(account.key);
    expect(created.status, JSON.stringify(created.answer)).toBe(200);
    expect(shardOf(created.answer["taskId"] as TaskId)).toBe(shard);
    const found = await send(account.key, `jobs/queryTask?taskId=${created.answer["taskId"]}`);
    expect(found.status).toBe(200);
  }
  expect(await countTasks(bed.database, one.accountId)).toBe(1);
  expect(await countTasks(second, one.accountId)).toBe(0);
  expect(await countTasks(bed.database, two.accountId)).toBe(0);
  expect(await countTasks(second, two.accountId)).toBe(1);
});

test("a task of another shard is refused as another's, in every way to ask for it", async () => {
  const [one, two] = [await openAccountIn(0), await openAccountIn(1)];
  const { answer } = await create(two.key);
  const path = `jobs/queryTask?taskId=${answer["taskId"]}`;
  const ways = [{}, { prefer: "wait=5" }, { accept: "text/event-stream" }];
  for (const way of ways)
    expect(await send(one.key, path, undefined, way)).toMatchObject({
      status: 403,
      answer: { code: "access_denied" },
    });
  const unknown = `jobs/queryTask?taskId=${newId<TaskId>(1)}`;
  for (const way of ways) expect((await send(one.key, unknown, undefined, way)).status).toBe(404);
});

test("a key that exists nowhere is refused, whatever shard it names", async () => {
  const { key } = await openAccountIn(1);
  const typo = key.slice(0, -1) + (key.endsWith("x") ? "y" : "x");
  for (const wrong of [typo, "zoe_live_", "none"]) expect((await create(wrong)).status).toBe(401);
});

// Without the forwarding row the first shard serves what it has of the account.
test("requests with a key of an account that moved are served where it lives, and follow it back", async () => {
  const { accountId, key } = await openAccountIn(0);
  await send(key, "account/credits"); // cached where it was
  const [first, other] = shards;
  const rows = await bed.database.sql("select * from api_keys where account_id = $1", [accountId]);
  await second.sql(
    "insert into accounts (id, name, webhook_secret, credits) values ($1, 'moved', 'none', 77)",
    [accountId],
  );
  await second.sql(
    "insert into api_keys select * from jsonb_populate_recordset(null::api_keys, $1)",
    [
      JSON.stringify(
        rows.map((row) => ({ ...row, hash: `\\x${(row["hash"] as Buffer).toString("hex")}` })),
      ),
    ],
  );
  const credits = async () => (await send(key, "account/credits")).answer["credits"];
  const move = async (away: FreshDatabase, to: FreshDatabase, shard: number) => {
    await to.sql("update accounts set moved_to = null where id = $1", [accountId]);
    await away.sql("update accounts set moved_to = $2 where id = $1", [accountId, shard]);
    await away.sql("select pg_notify('accounts_moved', $1)", [accountId]);
  };
  expect(first.pool).not.toBe(other?.pool);
  expect(await credits()).toBe(10_000);
  await move(bed.database, second, 1);
  await expect.poll(credits, { timeout: 60_000 }).toBe(77);
  await move(second, bed.database, 0);
  await expect.poll(credits, { timeout: 60_000 }).toBe(10_000);
});

test("an account that each shard says is in the other is refused with a time to try again, not sent round for ever", async () => {
  const { accountId, key } = await openAccountIn(1);
  await second.sql("update accounts set moved_to = 0 where id = $1", [accountId]);
  await bed.database.sql(
    `insert into accounts (id, name, webhook_secret, moved_to) values ($1, 'on its way', 'none', 1)
     on conflict (id) do update set moved_to = 1`,
    [accountId],
  );
  const rows = await second.sql<{ hash: Buffer }>("select * from api_keys where account_id = $1", [
    accountId,
  ]);
  await bed.database.sql(
    "insert into api_keys select * from jsonb_populate_recordset(null::api_keys, $1)",
    [JSON.stringify(rows.map((row) => ({ ...row, hash: `\\x${row.hash.toString("hex")}` })))],
  );
  const refused = await create(key);
  expect(refused).toMatchObject({ status: 503, answer: { code: "account_busy" } });
});

// Without the catch, whoever asks for a task that there is not is told that the service is away.
test("a task that is nowhere is not found while another shard is away", async () => {
  const { accountId, keyId } = await openAccountIn(0);
  const away = openDatabase(openConnections("postgres://nobody@127.0.0.1:9/nothing", 2, "test"));
  const ctx = { ...shards[0], otherShards: [{ pool: shards[0].pool, db: away }] };
  const caller = { id: accountId, keyId } as Caller;
  const asked = findOwn(ctx, caller, newId<TaskId>(0), "generation");
  await expect(asked).rejects.toMatchObject({ code: "task_not_found" });
  await away.destroy();
});
