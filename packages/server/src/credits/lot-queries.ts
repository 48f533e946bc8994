import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { isNotStuck } from "../db/stuck-rows.ts";
import type { AccountId, LotId } from "../ids.ts";

/** The SQL of the loops over lots. Only `post_transfer` writes them. */

/** A lot whose time is over, and its place in the order of their times. */
export interface ExpiredLot {
  id: LotId;
  accountId: AccountId;
  /** As the database writes it, to the microsecond. */
  expiresAt: string;
  /** Whether the account loses credits now: held ones stay, and a failing account waits. */
  isDue: boolean;
}

export async function listExpiredLots(
  db: Db,
  loop: string,
  after: Pick<ExpiredLot, "expiresAt" | "id"> | null,
  rowsMax: number,
): Promise<ExpiredLot[]> {
  const { expiresAt = "-infinity", id = "00000000-0000-0000-0000-000000000000" } = after ?? {};
  const { rows } = await sql<ExpiredLot>`
    select l.id, l.account_id as "accountId", l.expires_at::text as "expiresAt",
           a.moved_to is null and ${isNotStuck(loop, sql.ref("l.account_id"))}
             and exists (select from expired_credits(p_account_id => l.account_id, p_held => a.held)) as "isDue"
    from lots l join accounts a on a.id = l.account_id
    where l.is_open and l.expires_at <= now() and (l.expires_at, l.id) > (${expiresAt}::timestamptz, ${id}::uuid)
    order by l.expires_at, l.id limit ${rowsMax}`.execute(db);
  return rows;
}

/** The next accounts in the order of their ids, and which of them have credits from before there were lots. */
export async function listAccountsWithoutLots(
  db: Db,
  loop: string,
  after: AccountId | null,
  rowsMax: number,
): Promise<{ id: AccountId; isDue: boolean }[]> {
  const { rows } = await sql<{ id: AccountId; isDue: boolean }>`
    select a.id, a.credits > 0 and a.moved_to is null and not exists (select from lots l where l.account_id = a.id)
             and ${isNotStuck(loop, sql.ref("a.id"))} as "isDue"
    from accounts a where a.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    order by a.id limit ${rowsMax}`.execute(db);
  return rows;
}
