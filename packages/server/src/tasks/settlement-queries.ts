import { sql } from "kysely";
import type { UsageRow } from "../credits/usage-queries.ts";
import type { Db } from "../db/database.ts";
import type { AccountId } from "../ids.ts";

/** A capture or release, with what the usage roll-ups keep of its task. */
export interface Settlement extends Omit<UsageRow, "start" | "tasks"> {
  number: number;
  at: Date;
}

/**
 * Returns settlements in the order of their numbers. The model of a task that retention has dropped is not
 * known any more.
 */
export async function listSettlements(
  db: Db,
  accountId: AccountId,
  after: number,
  rowsMax: number,
): Promise<Settlement[]> {
  const { rows } = await sql<Settlement>`
    select s.number, s.created_at as at, coalesce(t.kind, 'generation') as kind,
           coalesce(t.model, 'unknown') as model, t.key_id as "keyId",
           case s.kind when 'capture' then 'COMPLETED' else 'FAILED' end as status,
           case s.kind when 'capture' then s.amount else 0 end as credits,
           coalesce((select sum((o ->> 'durationMs')::numeric) from jsonb_array_elements(t.output) o), 0)::bigint as "videoMs"
    from transfers s left join tasks t on t.id = s.cause_id
    where s.account_id = ${accountId} and s.number > ${after} and s.kind in ('capture', 'release')
    order by s.number limit ${rowsMax}`.execute(db);
  return rows;
}

/** Accounts that have a ledger and are not being erased. */
export async function listUsers(
  db: Db,
  after: AccountId | null,
  rowsMax: number,
): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts
    where id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      and transfers > 0 and closed_at is null
    order by id limit ${rowsMax}`.execute(db);
  return rows.map(({ id }) => id);
}
