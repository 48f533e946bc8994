import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { inParallel } from "@zoetrope/testkit/in-parallel.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConcurrencyLimitError, type ConnectionError } from "../src/errors.ts";
import { Zoetrope } from "../src/zoetrope.ts";
import { type Bed, openBed } from "./bed.ts";
import { abortTests } from "./cases/aborts.ts";
import { batchTests } from "./cases/batches.ts";
import { eventTests } from "./cases/events.ts";
import { fileTests } from "./cases/files.ts";
import { readmeTests } from "./cases/readme.ts";
import { refusalTests } from "./cases/refusals.ts";
import { sessionTests } from "./cases/sessions.ts";
import { taskTests } from "./cases/tasks.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed[Symbol.asyncDispose]());
const getBed = () => bed;

taskTests(getBed);
refusalTests(getBed);
fileTests(getBed);
eventTests(getBed);
batchTests(getBed, { requests: 24 });
abortTests(getBed);
sessionTests(getBed);
readmeTests(getBed);

test("500 creates through resets, 500s, 429s and a killed server make exactly 500 tasks", async () => {
  const { stack, proxy } = bed;
  await stack.worker.stop(); // what is created stays
  const { key, accountId } = await stack.openAccount({
    name: "exact",
    credits: 100_000,
    openTasksMax: 1_000,
  });
  const client = new Zoetrope({ baseUrl: proxy.url, apiKey: key });
  const faultsBefore = proxy.seen.faults;
  proxy.faults = 0.4;
  let created = 0;
  const createOne = async (n: number): Promise<string> => {
    let idempotencyKey: string | undefined;
    for (;;)
      try {
        const request = { model: "image-plus-2" as const, inputs: { prompt: `fox ${n}` } };
        const { taskId } = await client.tasks.create(request, { idempotencyKey });
        created += 1;
        if (created === 250) await killApi();
        return taskId;
      } catch (error) {
        if (error instanceof ConcurrencyLimitError || !isUncertain(error)) throw error;
        idempotencyKey = error.idempotencyKey ?? undefined;
      }
  };
  const killApi = async () => {
    await stack.api.kill();
    const another = await stack.startServer({ role: "api", name: "api-2" });
    proxy.target = another.url;
  };
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const taskIds = await inParallel(10, numbers, createOne);
  proxy.faults = 0;
  const rows = await withClient(stack.databaseOwnerUrl, (db) =>
    db.query("select id from tasks where account_id = $1", [accountId]),
  );
  expect(new Set(taskIds).size).toBe(500);
  expect(rows.rowCount).toBe(500);
  expect(proxy.seen.faults - faultsBefore).toBeGreaterThan(200);
});

function isUncertain(error: unknown): error is ConnectionError {
  return error instanceof Error && "idempotencyKey" in error;
}
