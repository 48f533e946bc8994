import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { TaskKind } from "../engine/waker.ts";
import type { AccountId } from "../ids.ts";

/**
 * Returns the time until which open tasks of an account may need a file, searched by the names that
 * requests may use for it; null if none does. An account has few open tasks. A quoted name matches only a
 * whole JSON value: inside a longer text, quotes are escaped.
 */
export async function findLatestUse(
  db: Db,
  accountId: AccountId,
  names: string[],
  kind?: TaskKind,
): Promise<Date | null> {
  const row = await db
    .selectFrom("open_tasks")
    .innerJoin("tasks", "tasks.id", "open_tasks.task_id")
    .select((eb) => eb.fn.max("open_tasks.deadline_at").as("until"))
    .where("open_tasks.account_id", "=", accountId)
    .where(
      sql<boolean>`exists (select from unnest(${names}::text[]) as name
        where position('"' || name || '"' in tasks.request::text) > 0)`,
    )
    .$if(kind !== undefined, (rows) => rows.where("tasks.kind", "=", kind ?? "upscale"))
    .executeTakeFirstOrThrow();
  return row.until;
}
