import type { Connection } from "../db/connections.ts";

const accountsMax = 1_000;

/** Per account and interval, where the ledger and a roll-up of usage differ. */
const differences = (unit: "hour" | "day") => `
  select coalesce(l.account_id, u.account_id) as account_id, '${unit}' as unit, coalesce(l.start, u.start) as start,
         l.completed, l.failed, l.credits, u.completed as usage_completed, u.failed as usage_failed,
         u.credits as usage_credits
  from (
    select account_id, date_trunc('${unit}', created_at, 'UTC') as start,
           count(*) filter (where kind = 'capture') as completed, count(*) filter (where kind = 'release') as failed,
           coalesce(sum(amount) filter (where kind = 'capture'), 0) as credits
    from transfers where account_id = any ($1::uuid[]) and kind in ('capture', 'release') group by 1, 2
  ) l full join (
    select account_id, id_time(start_id) as start,
           coalesce(sum(tasks) filter (where status = 'COMPLETED'), 0) as completed,
           coalesce(sum(tasks) filter (where status = 'FAILED'), 0) as failed, sum(credits) as credits
    from usage_${unit}s where account_id = any ($1::uuid[]) group by 1, 2
  ) u on u.account_id = l.account_id and u.start = l.start
  where (l.completed, l.failed, l.credits) is distinct from (u.completed, u.failed, u.credits)
  order by 1, 3 limit $2`;

/**
 * Compares usage with the ledger, so many accounts at a time. Left out are accounts that are erased or
 * being erased, whose usage is deleted while the ledger stays, and those that live in another shard.
 */
export async function findUsageBreaches(
  client: Connection,
  rowsMax: number,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let after = "00000000-0000-0000-0000-000000000000";
  while (found.length < rowsMax) {
    const { rows: accounts } = await client.query<{ id: string }>(
      "select id from accounts where id > $1 and closed_at is null and moved_to is null order by id limit $2",
      [after, accountsMax],
    );
    const last = accounts.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const unit of ["hour", "day"] as const) {
      const { rows } = await client.query<Record<string, unknown>>(differences(unit), [
        accounts.map(({ id }) => id),
        rowsMax - found.length,
      ]);
      found.push(...rows);
    }
  }
  return found;
}
