import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { PriceLine } from "../models/prices.ts";

export interface PricedTask {
  model: string;
  lines: PriceLine[]; // only ever written by accepting
  discount: number;
  credits: number;
  completedAt: Date;
}

/** Of so many of the newest tasks of a shard those of a book are looked for, whosoever they are. */
const lookedAtMax = 200_000;

/** The newest completed tasks of a book that were created within some days, without those of test accounts. */
export async function listPricedTasks(
  db: Db,
  { book, days, rowsMax }: { book: string; days: number; rowsMax: number },
): Promise<PricedTask[]> {
  const { rows } = await sql<PricedTask>`
    select t.model, t.price_lines as lines, coalesce(t.discount, 0) as discount, t.credits,
           t.completed_at as "completedAt"
    from (
      select id, account_id, model, price_schedule, price_lines, discount, credits, status, completed_at
      from tasks
      where id >= id_floor(now() - ${days} * interval '1 day')
      order by id desc limit ${lookedAtMax}
    ) t
    join accounts a on a.id = t.account_id
    where t.status = 'COMPLETED' and t.price_schedule = ${book} and t.price_lines is not null
      and a.test_of is null
    order by t.id desc limit ${rowsMax}`.execute(db);
  return rows;
}
