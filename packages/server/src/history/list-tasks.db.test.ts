import assert from "node:assert";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endings } from "../../test/harness/endings.ts";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createKey } from "../accounts/create-key.ts";
import { createTestAccount } from "../accounts/create-test-account.ts";
import { buildApi } from "../api/build-api.ts";
import { grantCredits } from "../credits/ledger.ts";
import { connectionOptions } from "../db/session-settings.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { type AccountId, parseId, type TaskId } from "../ids.ts";
import { finishTask } from "../tasks/finish-task.ts";
import { passedMax, passTasks, type TaskFilter } from "./queries.ts";
import type { ListAnswer, QueryAnswer } from "./schema.ts";

let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ PROMPT_SEARCH: "true" });
  api = await buildApi(bed.ctx);
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

async function call<Answer>(key: string, path: string, body?: object): Promise<Answer> {
  const response = await api.inject(
    withoutUndefined({
      method: body === undefined ? "GET" : "POST",
      url: `/api/v1/${path}`,
      headers: { authorization: `Bearer ${key}` },
      payload: body,
    }),
  );
  return { http: response.statusCode, ...response.json() } as Answer;
}

const list = (key: string, query = "") => call<ListAnswer>(key, `jobs/list?${query}`);
const idsOf = ({ items }: ListAnswer) => items.map(({ taskId }) => taskId);

async function createVideo(key: string, prompt: string, model = "sd2"): Promise<TaskId> {
  const body = { model, inputs: { prompt } };
  const { taskId } = await call<{ taskId: string }>(key, "jobs/createTask", body);
  const id = parseId<TaskId>(taskId);
  assert(id !== undefined);
  return id;
}

async function createUpscale(key: string): Promise<TaskId> {
  const source = { type: "url", url: "https://videos.example.com/a.mp4" };
  const body = { source, targetResolution: "1080p" };
  return (await call<{ taskId: TaskId }>(key, "upscale/create", body)).taskId;
}

/** An account with one task of every sort, the oldest first. */
async function openHistory() {
  const account = await bed.openAccount({ openTasksMax: 10 });
  const other = await createKey(bed.ctx.db, { accountId: account.id, name: "other" });
  const done = await createVideo(account.key, "A fox in the Snow");
  const failed = await createVideo(account.key, "a boat", "sd2-fast");
  await finishTask(bed.ctx, done, endings.COMPLETED);
  await finishTask(bed.ctx, failed, endings.FAILED);
  const open = await createVideo(other.key, "a snowman");
  const upscale = await createUpscale(account.key);
  return { account, other, done, failed, open, upscale };
}

describe("the list", () => {
  test("has both kinds, newest first, each as its own query answers it", async () => {
    const { account, other, done, failed, open, upscale } = await openHistory();
    const { items, nextCursor } = await list(account.key);
    expect(items.map(({ taskId }) => taskId)).toEqual([upscale, open, failed, done]);
    expect(nextCursor).toBeNull();
    for (const { kind, mode, credits, keyId, ...item } of items) {
      const path = kind === "upscale" ? "upscale/query" : "jobs/queryTask";
      const { http: _, ...alone } = await call<{ http: number }>(
        account.key,
        `${path}?taskId=${item.taskId}`,
      );
      expect(item).toMatchObject(alone);
      expect(mode).toBe("live");
      expect(keyId).toBe(item.taskId === open ? other.keyId : account.keyId);
      expect(credits === 0).toBe(item.taskId === failed);
    }
    expect(items[0]).toMatchObject({ kind: "upscale", model: expect.any(String) });
  });

  test("is walked by its cursor, every task once, with pages of any size", async () => {
    const { account, done, failed, open, upscale } = await openHistory();
    for (const limit of [1, 2, 3, 4, 100]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page: ListAnswer = await list(account.key, `limit=${limit}${from}`);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual([upscale, open, failed, done]);
    }
  });

  test("of every filter has exactly the tasks that match", async () => {
    const { account, other, done, failed, open, upscale } = await openHistory();
    const found = async (query: string) => idsOf(await list(account.key, query));
    expect(await found("kind=upscale")).toEqual([upscale]);
    expect(await found("kind=generation")).toEqual([open, failed, done]);
    expect(await found("model=sd2")).toEqual([open, done]);
    expect(await found("status=PENDING")).toEqual([upscale, open]);
    expect(await found("status=PENDING&kind=upscale")).toEqual([upscale]);
    expect(await found("status=PROCESSING")).toEqual([]);
    expect(await found("status=COMPLETED")).toEqual([done]);
    expect(await found("status=FAILED")).toEqual([failed]);
    expect(await found(`keyId=${other.keyId}`)).toEqual([open]);
    expect(await found(`keyId=${other.keyId}&status=FAILED`)).toEqual([]);
    expect(await found("prompt=SNOW")).toEqual([open, done]);
    expect(await found("prompt=snow&status=COMPLETED")).toEqual([done]);
    expect(await found("prompt=%25")).toEqual([]);
  });

  test("of a time range has the tasks created from its beginning until before its end", async () => {
    const { account } = await openHistory();
    const { items } = await list(account.key);
    const old = items.at(-1)?.taskId;
    const [row] = await bed.database.sql<{ at: Date }>("select id_time($1) as at", [old]);
    assert(row !== undefined);
    const at = row.at.toISOString();
    const after = new Date(row.at.getTime() + 1).toISOString();
    const found = async (query: string) => idsOf(await list(account.key, query));
    expect(await found(`from=${at}`)).toContain(old);
    expect(await found(`from=${after}`)).not.toContain(old);
    expect(await found(`to=${at}`)).toEqual([]);
    expect(await found(`to=${after}`)).toContain(old);
    expect(await found(`from=${after}&to=${at}`)).toEqual([]);
  });

  test("of a test key has its own mode; the other mode has nothing", async () => {
    const { account, upscale } = await openHistory();
    const { accountId } = await createTestAccount(bed.ctx, account.id);
    await grantCredits(bed.ctx.pool, { accountId, credits: 1_000, note: "test" });
    const { key } = await createKey(bed.ctx.db, { accountId, name: "test", mode: "test" });
    const taskId = await createVideo(key, "a rehearsal");
    expect((await list(key)).items).toMatchObject([{ taskId, mode: "test" }]);
    expect(idsOf(await list(key, "mode=test"))).toEqual([taskId]);
    expect(idsOf(await list(key, "mode=live"))).toEqual([]);
    expect(idsOf(await list(account.key, "mode=test"))).toEqual([]);
    expect(idsOf(await list(account.key, "mode=live&limit=1"))).toEqual([upscale]);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["cursor=none", "cursor"],
    ["keyId=none", "keyId"],
    ["status=completed", "status"],
    ["from=yesterday", "from"],
    [`prompt=${"a".repeat(201)}`, "prompt"],
  ])("with %s is refused and says which parameter is at fault", async (query, param) => {
    const { key } = await bed.openAccount();
    expect(await list(key, query)).toMatchObject({
      http: 400,
      code: "invalid_parameters",
      param,
    });
  });

  test("does not search prompts unless the operator enables it", async () => {
    const plain = await openTestBed();
    const plainApi = await buildApi(plain.ctx);
    try {
      const { key } = await plain.openAccount();
      const headers = { authorization: `Bearer ${key}` };
      const answer = await plainApi.inject({ url: "/api/v1/jobs/list?prompt=fox", headers });
      expect(answer.json()).toMatchObject({ code: "invalid_parameters", param: "prompt" });
    } finally {
      await plainApi.close();
      await plain[Symbol.asyncDispose]();
    }
  });
});

describe("the query of many tasks", () => {
  const query = (key: string, taskIds: unknown) =>
    call<QueryAnswer>(key, "jobs/query", { taskIds });

  test("answers them in the order of the ids, each once", async () => {
    const { account, done, failed, open, upscale } = await openHistory();
    const asked = await query(account.key, [done, upscale, done, open, failed]);
    expect(asked.tasks.map(({ taskId }) => taskId)).toEqual([done, upscale, open, failed]);
    expect(asked.notFound).toEqual([]);
    const { items } = await list(account.key);
    for (const task of asked.tasks) expect(items).toContainEqual(task);
  });

  test.each([[[]], [Array.from({ length: 101 }, () => "a")], ["a"], [[1]]])(
    "of %j is refused",
    async (taskIds) => {
      const { key } = await bed.openAccount();
      expect(await query(key, taskIds)).toMatchObject({ http: 400, code: "invalid_parameters" });
    },
  );
});

describe("in a long history", () => {
  /** The maximum number of additional rows that planning may read. */
  const plannedRowsMax = 100;
  const historyRows = 3 * passedMax + 500;
  const none: TaskFilter = { kind: null, model: null, keyId: null, status: null, prompt: null };
  const range = { from: "00000000-0000-0000-0000-000000000000", rowsMax: 51 };
  const start = "ffffffff-ffff-ffff-ffff-ffffffffffff";

  /** Many tasks of one sort, with five of a rare model that failed near the oldest. */
  async function fill(accountId: AccountId): Promise<void> {
    await bed.database.sql(
      `insert into tasks (id, account_id, kind, model, request, price_schedule, credits, status, output, error_code,
                          error_message, created_at, completed_at)
       select made.id, $1, 'generation', case when is_rare then 'rare' else 'sd2' end, '{}', 'A', 30,
              case when is_rare then 'FAILED' else 'COMPLETED' end, case when not is_rare then '[]'::jsonb end,
              case when is_rare then 'task_expired' end, case when is_rare then '' end, now(), now()
       from generate_series(1, $2::int) n,
       lateral (select n between $2 - 200 and $2 - 196 as is_rare,
                       overlay(overlay(md5(n::text) placing left(replace(id_floor(now() - n * interval '1 minute')::text, '-', ''), 12) || '7'
                                       from 1 for 13) placing '8' from 17 for 1)::uuid as id) made`,
      [accountId, historyRows],
    );
    await bed.database.sql("analyze tasks");
  }

  /** Returns the cost of a page: the rows of tasks that its statement reads. */
  async function reading(client: Client): Promise<number> {
    const { rows } = await client.query<{ read: string }>(
      `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read
       from pg_stat_xact_user_tables where relname ~ '^tasks'`,
    );
    return Number(rows[0]?.read);
  }

  test("a rare value is found page by page, and no page reads more rows than its bound", async () => {
    const { id } = await bed.openAccount({ credits: 0 });
    await fill(id);
    const client = new Client({
      connectionString: bed.database.serviceUrl,
      options: connectionOptions,
    });
    await client.connect();
    try {
      await client.query("begin");
      for (const filter of [
        { ...none, model: "rare" },
        { ...none, status: "FAILED" as const },
      ]) {
        const found: string[] = [];
        let before: string | undefined = start;
        let pages = 0;
        while (before !== undefined) {
          const readBefore = await reading(client);
          const passed = await passTasks(client, id, filter, { ...range, before });
          expect((await reading(client)) - readBefore).toBeLessThan(passedMax + plannedRowsMax);
          found.push(...passed.flatMap((task) => (task.isMatch ? [task.id] : [])));
          const last = passed.at(-1);
          before = last?.isEnd ? last.id : undefined;
          pages++;
        }
        expect(found).toHaveLength(5);
        expect(pages).toBe(4);
      }
      const readBefore = await reading(client);
      expect(await passTasks(client, id, none, { ...range, before: start })).toHaveLength(51);
      expect((await reading(client)) - readBefore).toBeLessThan(200);
    } finally {
      await client.end();
    }
  });

  test("a page with a filter says where the search continues although it is empty", async () => {
    const account = await bed.openAccount({ credits: 0 });
    await fill(account.id);
    const first = await list(account.key, "model=rare");
    expect(first.items).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    let cursor = first.nextCursor;
    const seen: string[] = [];
    while (cursor !== null) {
      const page = await list(account.key, `model=rare&limit=2&cursor=${cursor}`);
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });
});
