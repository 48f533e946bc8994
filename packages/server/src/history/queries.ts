import type { Connections } from "../db/connections.ts";
import type { AccountId, KeyId, TaskId } from "../ids.ts";

/** The SQL of finding an account's tasks. */

export interface TaskFilter {
  kind: "generation" | "upscale" | null;
  model: string | null;
  keyId: KeyId | null;
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | null;
  prompt: string | null;
}

/** Ids from `from`, included, up to `before`, newest first. */
export interface TaskRange {
  from: string;
  before: string;
  rowsMax: number;
}

/** A task that matches, or the one at which the search ended because it was long enough. */
export interface PassedTask {
  id: TaskId;
  isMatch: boolean;
  isEnd: boolean;
}

/** The maximum number of tasks that one search passes. Each costs a visit to its row. */
export const passedMax = 1_000;
/** Prompts can be long and are stored apart. */
export const passedWithPromptMax = 500;

const matches = `
  ($4::text is null or t.kind = $4) and ($5::text is null or t.model = $5)
  and ($6::uuid is null or t.key_id = $6) and ($7::text is null or t.status = $7)
  and ($8::text is null or strpos(lower(t.request ->> 'prompt'), lower($8)) > 0)`;

/**
 * Passes the tasks of a range until so many match or the search is long enough, so that a rare value
 * costs no more than a frequent one.
 */
const passText = (rowsMax: number) => `
  select id, coalesce(is_match, false) as "isMatch", place = ${rowsMax} as "isEnd" from (
    select id, is_match, row_number() over (order by id desc) as place from (
      select t.id, ${matches} as is_match from tasks t
      where t.account_id = $1 and t.id >= $2 and t.id < $3
      order by t.id desc limit ${rowsMax}
    ) as passed
  ) as counted
  where is_match or place = ${rowsMax}
  order by id desc limit $9`;

/** An account has few open tasks, so all of them are looked at. */
const openText = `
  select t.id, true as "isMatch", false as "isEnd" from open_tasks o
  cross join lateral (
    select id, kind, model, key_id, status, request from tasks where id = o.task_id limit 1
  ) as t
  where o.account_id = $1 and o.task_id >= $2 and o.task_id < $3 and ${matches}
  order by o.task_id desc limit $9`;

/** The tasks of an account that match, newest first, and how far a search that ended early came. */
export async function passTasks(
  pool: Pick<Connections, "query">,
  accountId: AccountId,
  filter: TaskFilter,
  range: TaskRange,
): Promise<PassedTask[]> {
  const { kind, model, keyId, status, prompt } = filter;
  const { rows } = await pool.query<PassedTask>({
    ...statementOf(filter),
    values: [
      accountId,
      range.from,
      range.before,
      kind,
      model,
      keyId,
      status,
      prompt,
      range.rowsMax,
    ],
  });
  return rows;
}

function statementOf({ status, prompt }: TaskFilter): { name: string; text: string } {
  if (status === "PENDING" || status === "PROCESSING")
    return { name: "list open tasks", text: openText };
  return prompt === null
    ? { name: "list tasks", text: passText(passedMax) }
    : { name: "search tasks", text: passText(passedWithPromptMax) };
}
