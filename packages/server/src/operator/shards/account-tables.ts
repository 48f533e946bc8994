/**
 * Every table with rows of an account: what moves with it, in the order of its foreign keys. In SQL, `t` is
 * a row of the table and `$1` the ids of the account and its test account.
 */

/** What belongs to a row of a history table: `f` is its row. */
export interface Follower {
  table: string;
  /** Rows are the same if these are. */
  unique: readonly string[];
  of: string;
  /**
   * Which rows may have changed since the last pass, if not those that `xmin` says of all followers: to look
   * at all of them would take too long in the freeze.
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
  /** From where on rows can have changed, `$3`; of transfers and events the number, of tasks the id. */
  floor?: "number" | "id of an open task";
  followers: readonly Follower[];
}

const submissions: Follower = {
  ...{ table: "submissions", unique: ["task_id", "started_at"], of: "f.task_id = t.id" },
};
const assetReviews: Follower = {
  ...{ table: "asset_reviews", unique: ["asset_id", "number"], of: "f.asset_id = t.id" },
};
const assetDeclarations: Follower = {
  ...{ table: "asset_declarations", unique: ["asset_id"], of: "f.asset_id = t.id" },
};
const ofUsage = ["account_id", "start_id", "kind", "model", "key_id", "status"];

export const historyTables: readonly HistoryTable[] = [
  {
    ...{ table: "transfers", key: "number", unique: ["cause_id", "kind"], floor: "number" },
    followers: [
      {
        ...{ table: "entries", unique: ["cause_id", "kind", "book"] },
        of: "f.cause_id = t.cause_id and f.kind = t.kind",
      },
    ],
  },
  {
    ...{ table: "tasks", key: "id", unique: ["id"], floor: "id of an open task" },
    settled: "t.status in ('COMPLETED', 'FAILED')",
    followers: [submissions],
  },
  { table: "events", key: "number", unique: ["id"], floor: "number", followers: [] },
  {
    ...{ table: "deliveries", key: "id", unique: ["id"] },
    followers: [
      {
        ...{ table: "attempts", unique: ["delivery_id", "number"], of: "f.delivery_id = t.id" },
        mayChange:
          "t.id = any (array(select delivery_id from open_deliveries where account_id = $1))",
      },
    ],
  },
  {
    ...{ table: "assets", key: "id", unique: ["id"], settled: "t.status <> 'PROCESSING'" },
    followers: [assetReviews, assetDeclarations],
  },
  { table: "usage_hours", key: "start_id", unique: ofUsage, followers: [] },
  { table: "usage_days", key: "start_id", unique: ofUsage, followers: [] },
  { table: "idempotency_keys", key: "key", unique: ["account_id", "key"], followers: [] },
  { table: "grants", key: "id", unique: ["id"], followers: [] },
  { table: "audit_entries", key: "id", unique: ["id"], followers: [] },
  { table: "logged_requests", key: "id", unique: ["account_id", "id", "slot"], followers: [] },
];

/** Tables whose rows are only added: one that is there already is the same. */
export const appendOnly: ReadonlySet<string> = new Set(["transfers", "entries", "audit_entries"]);

/** `usage rebuild` may have deleted rows since they were copied. */
export const rebuiltTables: readonly string[] = ["usage_hours", "usage_days"];

/** What is small, or worked on by loops: it is in `arrivals` until the account lives in the target. */
export interface OpenTable {
  table: string;
  unique: readonly string[];
  of: string;
  /** Whoever writes these rows holds only their own locks. */
  isLocked?: true;
  /** Goes with the decision: what a worker or a late request looks for is not found from then on. */
  leaves?: true;
}

const own = "t.account_id = any ($1)";
const keys = "t.key_id in (select id from api_keys where account_id = any ($1))";
const openTasks =
  "(select id from tasks where account_id = any ($1) and status in ('PENDING', 'PROCESSING'))";
const openAssets = "(select id from assets where account_id = any ($1) and status = 'PROCESSING')";

export const openTables: readonly OpenTable[] = [
  { table: "api_keys", unique: ["id"], of: own },
  { table: "key_uses", unique: ["key_id"], of: keys },
  { table: "dropped_key_credits", unique: ["key_id"], of: keys },
  { table: "tasks", unique: ["id"], of: `${own} and t.status in ('PENDING', 'PROCESSING')` },
  { ...submissions, of: `t.task_id in ${openTasks}` },
  {
    table: "unpurged_tasks",
    unique: ["task_id"],
    of: `t.task_id in (select id from tasks where account_id = any ($1))`,
  },
  { table: "assets", unique: ["id"], of: `${own} and t.status = 'PROCESSING'`, leaves: true },
  { ...assetReviews, of: `t.asset_id in ${openAssets}`, leaves: true },
  { ...assetDeclarations, of: `t.asset_id in ${openAssets}`, leaves: true },
  { table: "open_reviews", unique: ["asset_id"], of: own, isLocked: true, leaves: true },
  { table: "asset_uploads", unique: ["id"], of: own, isLocked: true, leaves: true },
  { table: "account_libraries", unique: ["account_id"], of: own },
  { table: "account_reviews", unique: ["account_id"], of: own },
  { table: "account_allowances", unique: ["account_id", "kind"], of: own },
  { table: "account_notes", unique: ["id"], of: own, isLocked: true, leaves: true },
  { table: "webhook_endpoints", unique: ["id"], of: own, isLocked: true, leaves: true },
  {
    ...{ table: "endpoint_health", unique: ["endpoint_id"] },
    of: "t.endpoint_id in (select id from webhook_endpoints where account_id = any ($1))",
    leaves: true,
  },
  { table: "open_tasks", unique: ["task_id"], of: own, isLocked: true, leaves: true },
  { table: "open_deliveries", unique: ["delivery_id"], of: own, isLocked: true, leaves: true },
  { table: "upscale_turns", unique: ["account_id"], of: own },
  { table: "upscales", unique: ["task_id"], of: own, isLocked: true, leaves: true },
  {
    ...{ table: "upscale_segments", unique: ["task_id", "number"] },
    of: "t.task_id in (select task_id from upscales where account_id = any ($1))",
    ...{ isLocked: true, leaves: true },
  },
  { table: "stuck_rows", unique: ["loop", "key"], of: own, leaves: true },
];

/** The objects in storage of rows that are copied: found by the rows' keys, see media-keys.ts. */
export const mediaTable = { table: "media_objects", unique: ["key"] } as const;

/** Tables that name an account, or something of one, and do not move with it. */
export const stayingTables: Readonly<Record<string, string>> = {
  accounts: "becomes a signpost",
  arrivals: "is how it moves",
  members: "people are at home, in the first shard",
  one_time_links: "people are at home, in the first shard",
};
