import { Client, types } from "pg";

/**
 * The database as evidence: every row that an invariant speaks of, read in one snapshot.
 *
 * History is ordered by commit. `created_at` is not:  it is the time at which a transaction
 * began, perhaps before it waited for the account's row lock. Every transfer changes its account's
 * row and so holds that lock until it has committed; hence for one account the order of the commits
 * is the order in which the transfers took effect, and what stands between two commits is what
 * everybody else could see. The commit's time is that of the transaction which inserted the transfer
 * (rows of the ledger are never updated, so their `xmin` is still it).
 */
export interface Rows {
  accounts: AccountRow[];
  transfers: TransferRow[];
  entries: EntryRow[];
  lots: LotRow[];
  lotUses: LotUseRow[];
  tasks: TaskRow[];
  openTasks: { taskId: string; accountId: string }[];
  idempotencyKeys: { accountId: string; key: string; response: unknown }[];
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
  openDeliveries: { deliveryId: string }[];
  usageHours: UsageRow[];
  usageDays: UsageRow[];
}

interface AccountRow {
  id: string;
  schedule: "A" | "B" | null;
  openTasksMax: number;
  credits: number;
  held: number;
  webhookSecret: string;
}

/** Every kind of transfer that the database accepts; a test compares them. */
export const transferKinds = [
  "grant",
  "hold",
  "raise",
  "capture",
  "release",
  "adjust",
  "expiry",
] as const;
export type TransferKind = (typeof transferKinds)[number];

export interface TransferRow {
  id: string;
  causeId: string;
  kind: TransferKind;
  accountId: string;
  amount: number;
  committedUs: number;
  /** The time at which its transaction began. */
  postedMs: number;
  /** 1, 2, 3 … within the account. */
  number: number;
}

export interface EntryRow {
  causeId: string;
  kind: string;
  accountId: string;
  book: string;
  amount: number;
}

export interface LotRow {
  id: string;
  accountId: string;
  /** The number of the transfer that made it. */
  number: number;
  credits: number;
  creditsLeft: number;
  /** In digits: exact, whatever its size. */
  netMinor: string;
}

export interface LotUseRow {
  causeId: string;
  kind: string;
  lotId: string;
  accountId: string;
  credits: number;
  netMinor: string;
}

interface StoredOutput {
  key: string;
  sha256: string;
  sizeBytes: number;
  durationMs?: number | null;
  poster?: { key: string } | null;
}

export interface TaskRow {
  id: string;
  accountId: string;
  keyId: string | null;
  kind: string;
  model: string;
  request: { outputResolution: string; durationSeconds: number };
  schedule: "A" | "B";
  credits: number;
  callbackUrl: string | null;
  status: string;
  output: StoredOutput[] | null;
  errorCode: string | null;
}

export interface DeliveryRow {
  id: string;
  taskId: string;
  url: string;
  isDelivered: boolean;
  isGivenUp: boolean;
}

export interface AttemptRow {
  deliveryId: string;
  number: number;
  status: number | null;
}

export interface UsageRow {
  accountId: string;
  startId: string;
  kind: string;
  model: string;
  keyId: string | null;
  status: string;
  tasks: number;
  credits: number;
  videoMs: number;
}

const usageColumns = `account_id as "accountId", start_id as "startId", kind, model, key_id as "keyId", status,
    tasks, credits, video_ms as "videoMs"`;

const queries = {
  accounts: `select id, price_schedule as schedule, open_tasks_max as "openTasksMax", credits, held,
    webhook_secret as "webhookSecret" from accounts where moved_to is null order by id`,
  transfers: `select id, cause_id as "causeId", kind, account_id as "accountId", amount, number,
    (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000000)::bigint as "committedUs",
    (extract(epoch from created_at) * 1000)::float8 as "postedMs"
    from transfers order by "committedUs", cause_id, kind`,
  entries: `select cause_id as "causeId", kind, account_id as "accountId", book, amount
    from entries order by cause_id, kind, book`,
  lots: `select id, account_id as "accountId", number, credits, credits_left as "creditsLeft",
    net_minor::text as "netMinor" from lots order by account_id, number`,
  lotUses: `select cause_id as "causeId", kind, lot_id as "lotId", account_id as "accountId", credits,
    net_minor::text as "netMinor" from lot_uses order by cause_id, kind, lot_id`,
  tasks: `select id, account_id as "accountId", key_id as "keyId", kind, model, request,
    price_schedule as schedule, credits, callback_url as "callbackUrl", status, output, error_code as "errorCode" from tasks order by id`,
  openTasks: `select task_id as "taskId", account_id as "accountId" from open_tasks`,
  idempotencyKeys: `select account_id as "accountId", key, response from idempotency_keys`,
  deliveries: `select id, task_id as "taskId", url, delivered_at is not null as "isDelivered",
    given_up_at is not null as "isGivenUp" from deliveries where endpoint_id is null order by id`,
  attempts: `select delivery_id as "deliveryId", number, status from attempts
    order by delivery_id, number`,
  openDeliveries: `select delivery_id as "deliveryId" from open_deliveries`,
  usageHours: `select ${usageColumns} from usage_hours`,
  usageDays: `select ${usageColumns} from usage_days`,
} as const satisfies Record<keyof Rows, string>;

const int8 = 20;

export async function readRows(databaseUrl: string): Promise<Rows> {
  const client = new Client({
    connectionString: databaseUrl,
    types: {
      getTypeParser: (oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format)),
    },
  });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const read: Record<string, unknown[]> = {};
    for (const [name, sql] of Object.entries(queries)) read[name] = (await client.query(sql)).rows;
    return read as unknown as Rows;
  } finally {
    await client.end();
  }
}
