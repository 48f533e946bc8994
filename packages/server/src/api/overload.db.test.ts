import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { buildApi } from "./build-api.ts";

const accountCount = 40;
const body = JSON.stringify({ model: "sd2", inputs: { prompt: "a fox" } });
let bed: TestBed;
let api: Awaited<ReturnType<typeof buildApi>>;
beforeAll(async () => {
  bed = await openTestBed({ DATABASE_CONNECTIONS_MAX: "32" }); // eight creates of an account at a time
  api = await buildApi(bed.ctx, { rememberKeyMs: 600_000 });
});
afterAll(async () => {
  await api.close();
  await bed[Symbol.asyncDispose]();
});

const create = (key: string, payload: string) =>
  api.inject({
    method: "POST",
    url: "/api/v1/jobs/createTask",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    payload,
  });
const isOverload = ({ payload }: { payload: string }) => payload.includes("More tasks arrive");

/** Makes the database take its time for each task. */
async function slowDown(): Promise<void> {
  await bed.database.sql(`create function slow_down() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.05); return new; end $$`);
  await bed.database.sql(
    "create trigger slow_down before insert on tasks for each row execute function slow_down()",
  );
}

test("creates beyond what may wait are refused before their body is read, with a Retry-After, and reads go on", async () => {
  const accounts = await Promise.all(
    Array.from({ length: accountCount }, () => bed.openAccount({ openTasksMax: 10_000 })),
  );
  const given: string[] = [];
  for (const account of accounts) given.push((await create(account.key, body)).json().taskId); // few unknown keys are looked up at once
  await slowDown();
  const key = accounts[0]?.key ?? "";
  const flood: ReturnType<typeof create>[] = [];
  let last = await create(key, "no JSON");
  expect(last.statusCode).toBe(400);
  const isRefused = async () => {
    flood.push(...accounts.map((account) => create(account.key, body)));
    last = await create(key, "no JSON");
    return isOverload(last);
  };
  await waitUntil("a create is refused", isRefused, { timeoutMs: 120_000, intervalMs: 1 });
  expect(last.json()).toMatchObject({ code: "service_unavailable" });
  expect(last.statusCode).toBe(503);
  expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
  const read = await api.inject({
    url: `/api/v1/jobs/queryTask?taskId=${given[0]}`,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(read.statusCode).toBe(200);
  const answers = await Promise.all(flood);
  expect(await bed.ctx.renderMetrics()).toContain(
    `zoetrope_creates_refused_total ${answers.filter(isOverload).length + 1}\n`,
  );
  const later = await create(key, body);
  expect(later.statusCode, later.payload).toBe(200);
});
