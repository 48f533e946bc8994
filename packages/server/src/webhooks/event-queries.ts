import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { AccountId, DeliveryId, TaskId } from "../ids.ts";

export interface EventRow {
  id: DeliveryId;
  number: number;
  taskId: TaskId;
  type: string;
  body: string;
  createdAt: Date;
}

/** Returns events in the order in which they were committed. */
export async function listEvents(
  db: Db,
  accountId: AccountId,
  range: { after: number; before: number | null; order: "asc" | "desc"; limit: number },
): Promise<EventRow[]> {
  const { after, before, order, limit } = range;
  return db
    .selectFrom("events")
    .select(["id", "number", "task_id as taskId", "type", "body", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .where("number", ">", after)
    .$if(before !== null, (query) => query.where("number", "<", before as number))
    .orderBy("number", order)
    .limit(limit + 1)
    .execute();
}

/** Returns the events of many accounts in one query: for each place in the list its events, in order. */
export async function listEventsOf(
  db: Db,
  asked: readonly { accountId: AccountId; after: number }[],
  rowsMax: number,
): Promise<(EventRow & { place: number })[]> {
  const accountIds = asked.map(({ accountId }) => accountId);
  const afters = asked.map(({ after }) => after);
  const { rows } = await sql<EventRow & { place: number }>`
    select (a.place - 1)::integer as place, e.id, e.number, e.task_id as "taskId", e.type, e.body, e.created_at as "createdAt"
    from unnest(${accountIds}::uuid[], ${afters}::bigint[]) with ordinality as a (account_id, after, place)
    cross join lateral (
      select id, number, task_id, type, body, created_at from events
      where account_id = a.account_id and number > a.after order by number limit ${rowsMax}
    ) e order by a.place, e.number`.execute(db);
  return rows;
}

/** The number of each account's last transfer: events to come have greater ones. */
export async function listLastNumbers(
  db: Db,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, number>> {
  const rows = await db
    .selectFrom("accounts")
    .select(["id", "transfers"])
    .where("id", "in", accountIds)
    .execute();
  return new Map(rows.map(({ id, transfers }) => [id, transfers]));
}

/** Deletes old events, a bounded number at a time. */
export async function purgeEvents(db: Db, keptDays: number, rowsMax: number): Promise<void> {
  await sql`
    delete from events where id in (
      select id from events where id < id_floor(now() - ${keptDays} * interval '1 day')
      order by id limit ${rowsMax})`.execute(db);
}
