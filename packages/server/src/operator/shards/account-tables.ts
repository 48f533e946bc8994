/**
 * Every table with rows of an account: what moves with it, in the order of its foreign keys. In SQL, `t` is
 * a row of the table and `$1` the ids of the account and its test account.
 */

/** A table whose rows belong to rows of a history table. In its SQL, `f` is a row of this table. */
export interface Follower {
  table: string;
  /** Rows are the same if these are. */
  unique: readonly string[];
  of: string;
  /**
   * The condition for rows that may have changed since the last pass. Default: `xmin` of all followers,
   * which takes too long in the freeze for large tables.
   */
  mayChange?: string;
}

/**
 * History grows for ever. It is copied before the freeze, in the order of a column that has an index with
 * account_id; then what has changed since.
 */
export interface HistoryTable {
  table: string;
  key: string;
  unique: readonly string[];
  /** Rows that are not yet history: they are open, and come with the freeze. */
  settled?: string;
  /**
   * The value from which on rows can have changed, `$3`; of transfers and events the number, of tasks the
   * id.
   */
  floor?: "number" | "id of an open task";
  followers: readonly Follower[];
}

const submissions: Follower = {
  table: "submissions",
  unique: ["task_id", "started_at"],
  of: "f.task_id = t.id",
};
const outputPrints: Follower = {
  table: "output_prints",
  unique: ["task_id", "number"],
  of: "f.task_id = t.id",
};
const assetReviews: Follower = {
  table: "asset_reviews",
  unique: ["asset_id", "number"],
  of: "f.asset_id = t.id",
};
const assetDeclarations: Follower = {
  table: "asset_declarations",
  unique: ["asset_id"],
  of: "f.asset_id = t.id",
};
const ofUsage = ["account_id", "start_id", "kind", "model", "key_id", "status"];

export const historyTables: readonly HistoryTable[] = [
  {
    table: "transfers",
    key: "number",
    unique: ["cause_id", "kind"],
    floor: "number",
    followers: [
      {
        table: "entries",
        unique: ["cause_id", "kind", "book"],
        of: "f.cause_id = t.cause_id and f.kind = t.kind",
      },
      {
        table: "lot_uses",
        unique: ["cause_id", "kind", "lot_id"],
        of: "f.cause_id = t.cause_id and f.kind = t.kind",
      },
    ],
  },
  { table: "lots", key: "id", unique: ["id"], followers: [] },
  {
    table: "tasks",
    key: "id",
    unique: ["id"],
    floor: "id of an open task",
    settled: "t.status in ('COMPLETED', 'FAILED')",
    followers: [submissions, outputPrints],
  },
  { table: "events", key: "number", unique: ["id"], floor: "number", followers: [] },
  {
    table: "deliveries",
    key: "id",
    unique: ["id"],
    followers: [
      {
        table: "attempts",
        unique: ["delivery_id", "number"],
        of: "f.delivery_id = t.id",
        mayChange:
          "t.id = any (array(select delivery_id from open_deliveries where account_id = $1))",
      },
    ],
  },
  {
    table: "assets",
    key: "id",
    unique: ["id"],
    settled: "t.status <> 'PROCESSING'",
    followers: [assetReviews, assetDeclarations],
  },
  { table: "usage_hours", key: "start_id", unique: ofUsage, followers: [] },
  { table: "usage_days", key: "start_id", unique: ofUsage, followers: [] },
  { table: "idempotency_keys", key: "key", unique: ["account_id", "key"], followers: [] },
  { table: "grants", key: "id", unique: ["id"], followers: [] },
  { table: "label_agreements", key: "id", unique: ["id"], followers: [] },
  {
    table: "freed_outputs",
    key: "task_id",
    unique: ["task_id", "number"],
    floor: "id of an open task",
    followers: [],
  },
  { table: "audit_entries", key: "id", unique: ["id"], followers: [] },
  { table: "logged_requests", key: "id", unique: ["account_id", "id", "slot"], followers: [] },
];

/** Tables whose rows are only added: one that is there already is the same. */
export const appendOnly: ReadonlySet<string> = new Set([
  "transfers",
  "entries",
  "lot_uses",
  "audit_entries",
  "freed_outputs",
]);

/** `usage rebuild` may have deleted rows since they were copied. */
export const rebuiltTables: readonly string[] = ["usage_hours", "usage_days"];

/**
 * A table that is small, or that loops work on: its rows are in `arrivals` until the account lives in the
 * target.
 */
export interface OpenTable {
  table: string;
  unique: readonly string[];
  of: string;
  /** Whether writers of these rows hold only locks on the rows. */
  isLocked?: true;
  /** Whether the rows are deleted by the decision, so that a worker or a late request no longer finds them. */
  leaves?: true;
}

const condition = "t.account_id = any ($1)";
const keys = "t.key_id in (select id from api_keys where account_id = any ($1))";
const openTasks =
  "(select id from tasks where account_id = any ($1) and status in ('PENDING', 'PROCESSING'))";
const openAssets = "(select id from assets where account_id = any ($1) and status = 'PROCESSING')";

export const openTables: readonly OpenTable[] = [
  { table: "api_keys", unique: ["id"], of: condition },
  { table: "key_uses", unique: ["key_id"], of: keys },
  { table: "dropped_key_credits", unique: ["key_id"], of: keys },
  { table: "tasks", unique: ["id"], of: `${condition} and t.status in ('PENDING', 'PROCESSING')` },
  { ...submissions, of: `t.task_id in ${openTasks}` },
  {
    table: "unpurged_tasks",
    unique: ["task_id"],
    of: `t.task_id in (select id from tasks where account_id = any ($1))`,
  },
  { table: "assets", unique: ["id"], of: `${condition} and t.status = 'PROCESSING'`, leaves: true },
  { ...assetReviews, of: `t.asset_id in ${openAssets}`, leaves: true },
  { ...assetDeclarations, of: `t.asset_id in ${openAssets}`, leaves: true },
  { table: "open_reviews", unique: ["asset_id"], of: condition, isLocked: true, leaves: true },
  { table: "asset_uploads", unique: ["id"], of: condition, isLocked: true, leaves: true },
  { table: "account_libraries", unique: ["account_id"], of: condition },
  { table: "account_reviews", unique: ["account_id"], of: condition },
  { table: "account_allowances", unique: ["account_id", "kind"], of: condition },
  { table: "account_notes", unique: ["id"], of: condition, isLocked: true, leaves: true },
  { table: "webhook_endpoints", unique: ["id"], of: condition, isLocked: true, leaves: true },
  {
    table: "endpoint_health",
    unique: ["endpoint_id"],
    of: "t.endpoint_id in (select id from webhook_endpoints where account_id = any ($1))",
    leaves: true,
  },
  { table: "open_tasks", unique: ["task_id"], of: condition, isLocked: true, leaves: true },
  {
    table: "open_deliveries",
    unique: ["delivery_id"],
    of: condition,
    isLocked: true,
    leaves: true,
  },
  { table: "upscale_turns", unique: ["account_id"], of: condition },
  { table: "upscales", unique: ["task_id"], of: condition, isLocked: true, leaves: true },
  {
    table: "upscale_segments",
    unique: ["task_id", "number"],
    of: "t.task_id in (select task_id from upscales where account_id = any ($1))",
    isLocked: true,
    leaves: true,
  },
  { table: "stuck_rows", unique: ["loop", "key"], of: condition, leaves: true },
];

/** The objects in storage of rows that are copied: found by the rows' keys, see media-keys.ts. */
export const mediaTable = { table: "media_objects", unique: ["key"] } as const;

/** Tables that name an account, or something of one, and do not move with it. */
export const stayingTables: Readonly<Record<string, string>> = {
  accounts: "becomes a forwarding row",
  arrivals: "is how it moves",
  current_key: "is about the key ring of the deployment, and kept in the first shard",
  members: "people are in the directory, in the first shard",
  one_time_links: "people are in the directory, in the first shard",
};
