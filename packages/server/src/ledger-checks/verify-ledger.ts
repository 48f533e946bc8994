import type { Connections } from "../db/connections.ts";
import { isHere, lotBreaches } from "./lot-breaches.ts";
import { findUsageBreaches } from "./verify-usage.ts";

/**
 * The invariants of the ledger, each as a query for the rows that break it. Read-only; scans the whole
 * history.
 */
const breaches: Readonly<Record<string, string>> = {
  "I1: every transfer consists of two entries that sum to zero": `
    select cause_id, kind, t.amount, e.entries, e.sum, e.moved
    from (select cause_id, kind, amount from transfers where ${isHere}) t full join (
      select cause_id, kind, count(*) as entries, sum(amount) as sum, max(amount) as moved
      from entries where ${isHere} group by cause_id, kind) e using (cause_id, kind)
    where (e.entries, e.sum, e.moved) is distinct from (2::bigint, 0::numeric, abs(t.amount))`,
  "I2: the balance and holds of an account are the sums of its entries": `
    select a.id as account_id, a.credits, a.held, s.credits as entries_credits, s.held as entries_held
    from accounts a left join (
      select account_id,
             sum(amount) filter (where book in ('available', 'held')) as credits,
             sum(amount) filter (where book = 'held') as held
      from entries group by account_id) s on s.account_id = a.id
    where a.moved_to is null and (a.credits, a.held) is distinct from (coalesce(s.credits, 0), coalesce(s.held, 0))`,
  "I2: the transfers of an account are numbered without gaps": `
    select a.id as account_id, a.transfers, n.count, n.last, n.different
    from accounts a left join (
      select account_id, count(*) as count, max(number) as last, count(distinct number) as different
      from transfers group by account_id) n on n.account_id = a.id
    where a.moved_to is null and a.transfers <> any (array[coalesce(n.count, 0), coalesce(n.last, 0), coalesce(n.different, 0)])`,
  "I2: the used budget of a key is the sum of its tasks that did not fail": `
    select k.id as key_id, k.credits_max, k.credits_used, s.used
    from api_keys k left join (
      select key_id, sum(credits) as used from (
        select key_id, credits from tasks where status <> 'FAILED'
        union all select key_id, credits from dropped_key_credits) u
      group by key_id) s on s.key_id = k.id
    where k.credits_max is not null and k.${isHere}
      and (k.credits_used <> coalesce(s.used, 0) or s.used > k.credits_max)`,
  "I3: no balance was ever negative, and every recorded balance is correct": `
    select * from (
      select account_id, number, kind, amount, credits_after, held_after,
             sum(case when kind in ('grant', 'adjust') then amount when kind in ('capture', 'expiry') then -amount else 0 end) over w as credits,
             sum(case when kind in ('hold', 'raise') then amount when kind in ('capture', 'release') then -amount else 0 end) over w as held
      from transfers where ${isHere} window w as (partition by account_id order by number)) h
    where credits < 0 or held < 0 or credits < held or credits_after <> credits or held_after <> held`,
  "I4: the open holds are those of the open tasks": `
    select t.id as task_id, h.cause_id, t.status, t.credits, h.held, h.captured, h.released, o.task_id is not null as is_open
    from (select id, status, credits from tasks where ${isHere}) t full join (
      select cause_id,
             sum(amount) filter (where kind in ('hold', 'raise')) as held,
             sum(amount) filter (where kind = 'capture') as captured,
             sum(amount) filter (where kind = 'release') as released
      from transfers where kind not in ('grant', 'adjust', 'expiry') and ${isHere} group by cause_id) h on h.cause_id = t.id
    left join open_tasks o on o.task_id = t.id
    left join dropped_ranges d on d.parent = 'tasks' and h.cause_id >= d.from_id and h.cause_id < d.to_id
    where case when t.id is null and d.parent is not null
      then h.held is distinct from coalesce(h.captured, h.released)
        or (h.captured is null) = (h.released is null)
      else h.held is distinct from t.credits
        or h.captured is distinct from case t.status when 'COMPLETED' then t.credits end
        or h.released is distinct from case t.status when 'FAILED' then t.credits end
        or (t.status in ('PENDING', 'PROCESSING')) <> (o.task_id is not null)
      end`,
  "I5: no account ever had more open tasks than its limit": `
    select * from (
      select t.account_id, t.number, t.kind, a.open_tasks_max,
             sum(case when t.kind = 'hold' then 1 when t.kind in ('capture', 'release') then -1 else 0 end) over w as open
      from transfers t join accounts a on a.id = t.account_id and a.moved_to is null
      window w as (partition by t.account_id order by t.number)) h
    where open > open_tasks_max`,
  ...lotBreaches,
};

export interface Breach {
  invariant: string;
  /** At most this many. */
  rows: Record<string, unknown>[];
}

const usageInvariant =
  "I6: the usage of an account is what its ledger captured and released; 'usage rebuild' corrects it";
const rowsMax = 20;
const statementMsMax = 60 * 60_000;
/** The usual limit is for requests. */
const withLongTimeout = (text: string) => ({ text, answerMsMax: statementMsMax + 10_000 });

/** Verifies the ledger of the live database in one snapshot and returns the rows that break an invariant. */
export async function verifyLedger(
  pool: Connections,
  until?: AbortSignal,
): Promise<{ checked: { transfers: number; tasks: number }; breaches: Breach[] }> {
  const client = await pool.connect();
  let isOver = false;
  const abandon = () => {
    if (!isOver) client.release(true); // its query fails, and so does the check
    isOver = true;
  };
  until?.addEventListener("abort", abandon);
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(`set local statement_timeout = ${statementMsMax}`);
    await client.query("set local enable_seqscan = on"); // whole tables are scanned on purpose
    const found: Breach[] = [];
    for (const [invariant, query] of Object.entries(breaches)) {
      const { rows } = await client.query(withLongTimeout(`${query} limit ${rowsMax}`));
      if (rows.length > 0) found.push({ invariant, rows });
    }
    const different = await findUsageBreaches(client, rowsMax);
    if (different.length > 0) found.push({ invariant: usageInvariant, rows: different });
    const { rows } = await client.query<{ transfers: number; tasks: number }>(
      withLongTimeout(
        "select (select count(*) from transfers) as transfers, (select count(*) from tasks) as tasks",
      ),
    );
    await client.query("commit");
    const [checked = { transfers: 0, tasks: 0 }] = rows;
    return { checked, breaches: found };
  } finally {
    until?.removeEventListener("abort", abandon);
    abandon();
  }
}
