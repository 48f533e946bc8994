import { sql } from "kysely";
import { type Db, inTransaction } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import type { AccountId, TaskId } from "../ids.ts";
import { keysOfOutput } from "./output-media.ts";

/**
 * The steps of erasing an account's tasks. They run as the owner of the schema, because the service may do
 * none of this.
 */

/** Returns the number of open tasks, and the latest time at which the last one ends. */
export async function countOpenTasks(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<{ count: number; until: Date | null }> {
  return db
    .selectFrom("open_tasks")
    .select((row) => [row.fn.countAll<number>().as("count"), row.fn.max("deadline_at").as("until")])
    .where("account_id", "in", [...accountIds])
    .executeTakeFirstOrThrow();
}

/** The next tasks of an account in the order of their ids, and the objects that each has in storage. */
export async function listTaskObjects(
  db: Db,
  accountId: AccountId,
  after: TaskId | null,
  rowsMax: number,
): Promise<{ id: TaskId; objectKeys: string[] }[]> {
  const rows = await db
    .selectFrom("tasks")
    .select(["id", "output", "inputs"])
    .where("account_id", "=", accountId)
    .$if(after !== null, (tasks) => tasks.where("id", ">", after ?? ("" as TaskId)))
    .orderBy("id")
    .limit(rowsMax)
    .execute();
  return rows.map(({ id, output, inputs }) => ({
    id,
    objectKeys: [...keysOfOutput(output), ...(inputs ?? []).map(({ key }) => key)],
  }));
}

/** Leaves of tasks what the ledger is proven by: whose they are, their model, price, times and end. */
export async function blankTasks(db: Db, taskIds: TaskId[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update tasks set
        request = '{}', inputs = null, callback_url = null,
        output = case when output is null then null else '[]'::jsonb end,
        error_message = case when error_message is null then null else '' end
      where id = any (${taskIds}::uuid[])`.execute(tx);
    // A vendor's message may quote the prompt.
    await sql`update submissions set detail = null
      where task_id = any (${taskIds}::uuid[]) and detail is not null`.execute(tx);
  });
}

export async function deleteIdempotencyKeys(db: Db, accountId: AccountId): Promise<number> {
  return changedRows(
    await sql`delete from idempotency_keys where account_id = ${accountId}`.execute(db),
  );
}
