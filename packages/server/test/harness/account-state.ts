import type { AccountId } from "../../src/ids.ts";
import type { FreshDatabase } from "./fresh-database.ts";

/** All that an account with one task at most has in the database. */
export interface AccountState {
  statuses: string[];
  open: number;
  transfers: string[];
  entries: number;
  credits: number;
  held: number;
  /** The used part of its key's budget. */
  used: number;
  keyedAnswers: number;
  deliveries: number;
  openDeliveries: number;
}

const untouched: AccountState = {
  statuses: [],
  open: 0,
  transfers: ["grant"],
  entries: 2,
  credits: 100,
  held: 0,
  used: 0,
  keyedAnswers: 0,
  deliveries: 0,
  openDeliveries: 0,
};

const accepted: AccountState = {
  ...untouched,
  statuses: ["PENDING"],
  open: 1,
  transfers: ["grant", "hold"],
  entries: 4,
  held: 30,
  used: 30,
  keyedAnswers: 1,
};

const over = { ...accepted, open: 0, entries: 6, held: 0, deliveries: 1, openDeliveries: 1 };

/** The only states of an account with 100 credits and a budget, around one task for 30 with a callback. */
export const states = {
  untouched,
  accepted,
  COMPLETED: {
    ...over,
    statuses: ["COMPLETED"],
    transfers: ["grant", "hold", "capture"],
    credits: 70,
  },
  FAILED: { ...over, statuses: ["FAILED"], transfers: ["grant", "hold", "release"], used: 0 },
};

export async function readState(
  database: FreshDatabase,
  accountId: AccountId,
): Promise<AccountState | undefined> {
  const [state] = await database.sql<AccountState>(
    `select array(select status from tasks where account_id = a.id) as statuses,
       (select count(*)::int from open_tasks where account_id = a.id) as open,
       array(select kind from transfers where account_id = a.id order by number) as transfers,
       (select count(*)::int from entries where account_id = a.id) as entries,
       a.credits::int, a.held::int, k.credits_used::int as used,
       (select count(*)::int from idempotency_keys where account_id = a.id) as "keyedAnswers",
       (select count(*)::int from deliveries where account_id = a.id) as deliveries,
       (select count(*)::int from open_deliveries where account_id = a.id) as "openDeliveries"
     from accounts a join api_keys k on k.account_id = a.id where a.id = $1`,
    [accountId],
  );
  return state;
}
