import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestBed, type TestBed } from "../../test/harness/test-context.ts";
import { createTask } from "../generation/create-task.ts";
import type { TaskId } from "../ids.ts";

let bed: TestBed;
const clients: Client[] = [];
beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await bed[Symbol.asyncDispose]();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: bed.database.ownerUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const body = { model: "sd2", inputs: { prompt: "a fox" } };

/** Two accounts with a task each, the one with the larger id first. */
async function openTwo() {
  const accounts = [await bed.openAccount(), await bed.openAccount()];
  const opened = accounts.map(async (account) => ({
    account,
    taskId: (await createTask(bed.ctx, account, body, null)).taskId,
  }));
  const two = await Promise.all(opened);
  const [larger, smaller] = two.sort((a, b) => (a.account.id < b.account.id ? 1 : -1));
  if (larger === undefined || smaller === undefined) throw new Error("two were opened");
  return { larger, smaller };
}

/** A batch that names the account with the larger id first, while the smaller one is locked. */
async function whileBatchWaits(
  smallerId: string,
  call: (batch: Client) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<void> {
  const [holder, batch] = [await connect(), await connect()];
  await holder.query("begin");
  await holder.query("select from accounts where id = $1 for update", [smallerId]);
  const { rows } = await batch.query<{ pid: number }>("select pg_backend_pid() as pid");
  await batch.query("begin");
  const waiting = call(batch);
  try {
    const isWaiting = () =>
      bed.database.sql("select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'", [
        rows[0]?.pid,
      ]);
    await expect.poll(isWaiting, { timeout: 60_000 }).toHaveLength(1);
    await check();
  } finally {
    await holder.query("rollback");
    await waiting;
    await batch.query("rollback");
  }
}

const rowOf = (index: number, taskId: TaskId) => ({
  place: index,
  task_id: taskId,
  status: "FAILED",
});

// Without the order of ids in finish_tasks the larger account is locked already.
test("a batch of finishes locks accounts in the order of their ids, whatever its own order", async () => {
  const { larger, smaller } = await openTwo();
  await whileBatchWaits(
    smaller.account.id,
    (batch) =>
      batch
        .query("select from finish_tasks($1, 'long')", [
          JSON.stringify([rowOf(0, larger.taskId), rowOf(1, smaller.taskId)]),
        ])
        .catch(() => {}), // the rows lack what an end has
    async () => {
      await bed.database.sql("select from accounts where id = $1 for update nowait", [
        larger.account.id,
      ]);
    },
  );
});

// Without the order of ids in accept_tasks the larger account is locked already.
test("a batch of creates locks accounts in the order of their ids, whatever its own order", async () => {
  const { larger, smaller } = await openTwo();
  await whileBatchWaits(
    smaller.account.id,
    (batch) =>
      batch
        .query("select from accept_tasks($1, 'long')", [
          JSON.stringify([
            { place: 0, account_id: larger.account.id },
            { place: 1, account_id: smaller.account.id },
          ]),
        ])
        .catch(() => {}), // the rows lack what a task has
    async () => {
      await bed.database.sql("select from accounts where id = $1 for update nowait", [
        larger.account.id,
      ]);
    },
  );
});
