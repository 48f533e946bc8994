import { readFile } from "node:fs/promises";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { connectQuery, startPgbouncer } from "@zoetrope/testkit/services/pgbouncer.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "../src/db/database.ts";
import { sessionSettings } from "../src/db/session-settings.ts";
import { createTask } from "../src/generation/create-task.ts";
import { type FirstShardContext, openContext } from "../src/open-context.ts";
import { checkMoney } from "./harness/check-money.ts";
import { openLiveBed } from "./harness/live-bed.ts";
import { openTestBed, type TestBed } from "./harness/test-context.ts";

const serverConnections = 3;
const processes = 4;
const createsEach = 5;

const cleanUp = new AsyncDisposableStack();
let bed: TestBed;
let contexts: FirstShardContext[];
beforeAll(async () => {
  const scratch = cleanUp.use(await makeScratch("pooler"));
  bed = cleanUp.use(await openTestBed());
  const { serviceUrl } = bed.database;
  const pooler = cleanUp.use(
    await startPgbouncer({
      dir: scratch.path,
      databaseUrl: serviceUrl,
      connectionsMax: serverConnections,
      settings: sessionSettings,
    }),
  );
  const database = {
    ...bed.ctx.config.database,
    url: pooler.url,
    sessionUrl: serviceUrl,
    connectionsMax: 20,
  };
  contexts = Array.from({ length: processes }, () => {
    const ctx = openContext({ ...bed.ctx.config, database }, "pooled");
    cleanUp.defer(() => ctx.close());
    return ctx;
  });
});
afterAll(() => cleanUp.disposeAsync());

const countConnections = async (name: string) => {
  const text = "select count(*)::int as count from pg_stat_activity where application_name = $1";
  const [row] = await bed.database.sql<{ count: number }>(text, [name]);
  return row?.count ?? Number.NaN;
};

test("processes behind a pooler share its few connections, and every create is accepted once", async () => {
  const accounts = await Promise.all(contexts.map(() => bed.openAccount({ openTasksMax: 100 })));
  const body = { model: "sd2", inputs: { prompt: "a fox" } };
  const created = await Promise.all(
    contexts.flatMap((ctx) =>
      accounts.flatMap((account) =>
        Array.from({ length: createsEach }, () => createTask(ctx, account, body, null)),
      ),
    ),
  );
  expect(new Set(created.map(({ taskId }) => taskId)).size).toBe(created.length);
  expect(await countConnections("zoetrope pooled")).toBeLessThanOrEqual(serverConnections);
  await checkMoney(bed.database);
});

test("a transaction behind a pooler has one connection, with our limits and none of our statements", async () => {
  const [ctx] = contexts as [FirstShardContext];
  const seen = await inTransaction(ctx.db, async (tx) => {
    const pidOf = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid;
    const first = await pidOf();
    const { rows } = await sql<{ limit: string; prepared: number }>`
      select current_setting('statement_timeout') as limit,
        (select count(*)::int from pg_prepared_statements) as prepared`.execute(tx);
    return { isSame: first === (await pidOf()), ...rows[0] };
  });
  expect(seen).toEqual({ isSame: true, limit: "10s", prepared: 0 });
});

test("an api behind a pooler is notified of what others change", async () => {
  const [ctx, another] = contexts as [FirstShardContext, FirstShardContext];
  const keep = async () => {};
  const openAnother = () => another;
  await using live = await openLiveBed({ ...bed, ctx, openAnother, [Symbol.asyncDispose]: keep });
  const api = await live.startApi({ pollAgainMs: 3_600_000 });
  const isListening = async () => (await countConnections("zoetrope api, listening")) > 0;
  await waitUntil("it listens past the pooler", isListening, { timeoutMs: 60_000 });
  const { account, taskId } = await live.newTask();
  const client = live.clientOf(account.key, taskId, undefined, api.baseUrl);
  const stream = await client.follow();
  const has = (count: number) =>
    waitUntil(`${count} events`, () => stream.events.length === count, { timeoutMs: 120_000 });
  await has(1);
  await live.bind(taskId);
  await has(2);
  expect(stream.statuses()).toEqual(["PENDING", "PROCESSING"]);
  stream.leave();
  await api.close();
});

test("the documentation has the settings that a pooler must set", async () => {
  const text = await readFile(new URL("../../../docs/poolers.md", import.meta.url), "utf8");
  expect(text).toContain(`connect_query='${connectQuery(sessionSettings)}'`);
});
