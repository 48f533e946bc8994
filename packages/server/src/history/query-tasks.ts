import { type Caller, isTestAccount } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { parseId, type TaskId } from "../ids.ts";
import { readListed } from "./read-listed.ts";
import type { QueryAnswer } from "./schema.ts";

/** Many tasks by their ids. Another account's task is not found, like one that does not exist. */
export async function queryTasks(
  ctx: Context,
  caller: Caller,
  ids: readonly string[],
): Promise<QueryAnswer> {
  const wanted = [...new Set(ids)];
  const account = { id: caller.id, isTest: await isTestAccount(ctx.db, caller.id) };
  const taskIds = wanted.flatMap((id) => parseId<TaskId>(id) ?? []);
  const tasks = await readListed(ctx, account, taskIds);
  const found = new Set(tasks.map(({ taskId }) => taskId));
  return { tasks, notFound: wanted.filter((id) => !found.has(id)) };
}
