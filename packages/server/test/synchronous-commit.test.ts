import { join } from "node:path";
import { prepareDatabase } from "@zoetrope/dev/prepare-database.ts";
import { startPostgres } from "@zoetrope/dev/services/postgres.ts";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { expect, test } from "vitest";
import { createTask } from "../src/generation/create-task.ts";
import { openTestBed } from "./harness/test-context.ts";

const body = { model: "sd2", inputs: { prompt: "a fox" } };

test("while the synchronous standby is away no create is answered, nor is one that repeats a key", async () => {
  await using cleanUp = new AsyncDisposableStack();
  const scratch = cleanUp.use(await makeScratch("synchronous"));
  const postgres = cleanUp.use(await startPostgres({ dir: join(scratch.path, "postgres") }));
  const { service } = await prepareDatabase(postgres, "zoetrope");
  const bed = cleanUp.use(await openTestBed({ DATABASE_URL: service }));
  const [one, two] = [await bed.openAccount(), await bed.openAccount()];
  const first = await createTask(bed.ctx, one, body, "a key");
  const query = <Row extends object>(text: string) =>
    withClient(postgres.url, async (db) => (await db.query<Row>(text)).rows);
  const expectStandby = async (name: string) => {
    await query(`alter system set synchronous_standby_names = '${name}'`);
    await query("select pg_reload_conf()");
  };

  await expectStandby("nobody");
  let answers = 0;
  const creating = [one, two].map(async (account) => {
    const answer = await createTask(bed.ctx, account, body, "a key");
    answers += 1;
    return answer;
  });
  const waiting = "select pid from pg_stat_activity where wait_event = 'SyncRep'";
  const isWaiting = async () => (await query(waiting)).length === creating.length;
  await waitUntil("both wait for the standby", isWaiting, { timeoutMs: 60_000 });
  expect(answers).toBe(0);
  await expectStandby("");
  expect(await creating[0]).toMatchObject({ taskId: first.taskId, replayed: true });
  await creating[1];
});
