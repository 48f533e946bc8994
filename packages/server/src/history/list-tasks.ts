import { type Caller, isTestAccount } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { readIdCursor } from "../http/paging.ts";
import { idFloor, type KeyId, parseId, type TaskId } from "../ids.ts";
import { type PassedTask, passTasks, type TaskFilter } from "./queries.ts";
import { readListed } from "./read-listed.ts";
import type { ListAnswer, ListQuery } from "./schema.ts";

const firstId = "00000000-0000-0000-0000-000000000000";
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A page of an account's tasks of both kinds, newest first. */
export async function listTasks(
  ctx: Context,
  caller: Caller,
  query: ListQuery,
): Promise<ListAnswer> {
  const filter = filterOf(ctx, query);
  const range = rangeOf(query);
  const account = { id: caller.id, isTest: await isTestAccount(ctx.db, caller.id) };
  if (query.mode !== undefined && (query.mode === "test") !== account.isTest)
    return { items: [], nextCursor: null };
  const rowsMax = query.limit + 1; // one more, to know whether there is another page
  const passed = await passTasks(ctx.pool, caller.id, filter, { ...range, rowsMax });
  const { page, nextCursor } = pageOf(passed, query.limit);
  return { items: await readListed(ctx, account, page), nextCursor };
}

function pageOf(
  passed: PassedTask[],
  limit: number,
): { page: TaskId[]; nextCursor: TaskId | null } {
  const matching = passed.flatMap(({ id, isMatch }) => (isMatch ? [id] : []));
  const page = matching.slice(0, limit);
  if (matching.length > limit) return { page, nextCursor: page.at(-1) ?? null };
  const last = passed.at(-1);
  return { page, nextCursor: last?.isEnd ? last.id : null };
}

function filterOf({ config }: Context, query: ListQuery): TaskFilter {
  const { kind = null, model = null, status = null, prompt = null } = query;
  if (prompt !== null && !config.api.searchesPrompts)
    throw invalid("prompt", "cannot be used: this deployment does not search prompts");
  const keyId = query.keyId === undefined ? null : parseId<KeyId>(query.keyId);
  if (keyId === undefined) throw invalid("keyId", "must be the id of an API key");
  return { kind, model, status, prompt, keyId };
}

/** Ids begin with their time: a range of times is one of ids, and the cursor narrows it. */
function rangeOf({ from, to, cursor }: ListQuery): { from: string; before: string } {
  const last = readIdCursor<TaskId>(cursor) ?? lastId;
  const begin = from === undefined ? firstId : idFloor(Date.parse(from));
  const end = to === undefined ? lastId : idFloor(Date.parse(to));
  const isPast = last > end; // the range ends before the cursor
  return { from: begin, before: isPast ? end : last };
}
