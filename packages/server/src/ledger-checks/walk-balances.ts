import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import type { AccountId } from "../ids.ts";

const accountsMax = 500;
const transfersMax = 10;

export interface WalkedAccounts {
  accounts: number;
  /** The account at which the next batch begins; null: there are no accounts after these. */
  last: AccountId | null;
  breaches: number;
  storedBytes: number;
}

/**
 * Checks the next accounts by their newest transfers: these follow from each other, have two entries
 * that sum to zero, and end with the account's balance and holds, and its lots, if it has any, have its
 * credits left. `operator ledger verify` checks the
 * whole history; this costs the same however long that is.
 */
export async function walkBalances(db: Db, after: AccountId | null): Promise<WalkedAccounts> {
  const { rows } = await sql<WalkedAccounts>`
    with batch as materialized (
      select id, credits, held, transfers from accounts
      where id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') and moved_to is null
      order by id limit ${accountsMax}
    ), checked as materialized (
      select a.id, coalesce(l.stored_bytes, 0) as stored_bytes,
             h.transfers = least(a.transfers, ${transfersMax})
               and (a.transfers, a.credits, a.held) = (h.number, h.credits, h.held) and h.is_sound
               and (left_in.credits = a.credits or not exists (select from lots o where o.account_id = a.id)) as is_sound
      from batch a
      left join account_libraries l on l.account_id = a.id
      cross join lateral (
        select coalesce(sum(o.credits_left), 0) as credits from lots o where o.account_id = a.id and o.is_open
      ) left_in
      cross join lateral (
        select count(*) as transfers, coalesce(bool_and(follows and has_entries), true) as is_sound,
               coalesce(max(number), 0) as number,
               coalesce((array_agg(credits_after order by number desc))[1], 0) as credits,
               coalesce((array_agg(held_after order by number desc))[1], 0) as held
        from (${historyOf(sql.ref("a.id"))}) t
      ) h
    )
    select count(*) as accounts, count(*) filter (where not is_sound) as breaches,
           coalesce(sum(stored_bytes), 0)::bigint as "storedBytes",
           case when count(*) = ${accountsMax} then (select id from batch order by id desc limit 1) end as last
    from checked`.execute(db);
  return onlyRow(rows);
}

/** The newest transfers of an account, and whether each follows from the one before it. */
function historyOf(accountId: ReturnType<typeof sql.ref>) {
  return sql`
    select number, credits_after, held_after,
           case when lag(number) over w is null
                then number > 1 or (credits_after, held_after) = (credits_by, held_by)
                else number = lag(number) over w + 1
                  and credits_after = lag(credits_after) over w + credits_by
                  and held_after = lag(held_after) over w + held_by end as follows,
           (select count(*) = 2 and sum(e.amount) = 0 and max(e.amount) = abs(n.amount)
            from entries e where e.cause_id = n.cause_id and e.kind = n.kind) as has_entries
    from (
      select cause_id, kind, number, amount, credits_after, held_after,
             case when kind in ('grant', 'adjust') then amount when kind in ('capture', 'expiry') then -amount else 0 end as credits_by,
             case when kind in ('hold', 'raise') then amount when kind in ('capture', 'release') then -amount else 0 end as held_by
      from transfers where account_id = ${accountId} order by number desc limit ${transfersMax}
    ) n window w as (order by number)`;
}
