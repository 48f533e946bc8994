import type { AlertName } from "./alert-table.ts";

/** What a series does: the value of a gauge, or how much a counter grows each second. */
export type Shape = { readonly is: number } | { readonly perSecond: number };
const is = (value: number): Shape => ({ is: value });
const perSecond = (rate: number): Shape => ({ perSecond: rate });

const api = 'job="zoetrope-api",instance="api:1"';
const worker = 'job="zoetrope-worker",instance="worker:1"';
const ark = `${worker},vendor_account="ark"`;
const labelsOf = {
  api: { job: "zoetrope-api", instance: "api:1" },
  worker: { job: "zoetrope-worker", instance: "worker:1" },
};

/** A deployment on an ordinary day: a receiver is down, a vendor had hiccups, a wake-up was lost. */
export const ordinary: Readonly<Record<string, Shape>> = {
  [`up{${api}}`]: is(1),
  [`up{${worker}}`]: is(1),
  [`zoetrope_part_up{${api},part="database"}`]: is(1),
  [`zoetrope_part_up{${api},part="engine"}`]: is(1),
  [`zoetrope_part_up{${api},part="storage"}`]: is(1),
  [`zoetrope_part_up{${worker},part="database"}`]: is(1),
  [`zoetrope_part_up{${worker},part="engine"}`]: is(1),
  [`zoetrope_part_up{${worker},part="storage"}`]: is(1),
  [`zoetrope_loop_alive{${worker},loop="deliveries"}`]: is(1),
  [`zoetrope_engine_partition_silent_seconds{${worker},partition="0"}`]: is(0),
  [`zoetrope_engine_partition_silent_seconds{${worker},partition="1"}`]: is(40),
  [`zoetrope_open_tasks_overdue{${worker}}`]: is(0),
  [`zoetrope_rows_parked{${worker}}`]: is(0),
  [`zoetrope_ledger_breaches{${worker}}`]: is(0),
  [`zoetrope_failing_delivery_accounts{${worker}}`]: is(1),
  [`zoetrope_work_dir_free_bytes{${worker}}`]: is(50_000_000_000),
  [`zoetrope_pool_waiting{${api},state="connection"}`]: is(0),
  [`zoetrope_pool_waiting{${api},state="turn"}`]: is(2),
  [`zoetrope_pool_connections_max{${api}}`]: is(10),
  [`zoetrope_vendor_breaker_open{${ark}}`]: is(0),
  [`zoetrope_vendor_throttled{${ark}}`]: is(0),
  [`zoetrope_vendor_submits_total{${ark},outcome="accepted"}`]: perSecond(0.5),
  [`zoetrope_vendor_submits_total{${ark},outcome="throttled"}`]: perSecond(0.1),
  [`zoetrope_vendor_polls_total{${ark},outcome="waiting"}`]: perSecond(2),
  [`zoetrope_vendor_polls_total{${ark},outcome="unavailable"}`]: perSecond(0.2),
  [`zoetrope_delivery_attempts_total{${worker},outcome="delivered"}`]: perSecond(0.5),
  [`zoetrope_delivery_attempts_total{${worker},outcome="retried"}`]: perSecond(0.1),
  [`zoetrope_wake_ups_repeated_total{${worker},kind="generation"}`]: perSecond(0.05),
  [`zoetrope_storage_operations_total{${worker},operation="put",outcome="done"}`]: perSecond(0.5),
  [`zoetrope_storage_operations_total{${worker},operation="put",outcome="failed"}`]:
    perSecond(0.01),
  [`zoetrope_certificate_expiry_timestamp_seconds{${worker},part="public"}`]: is(60 * 86_400),
};

export interface AlertCase {
  readonly name: string;
  /** For twenty minutes, between twenty ordinary ones and twenty more. */
  readonly becomes: Readonly<Record<string, Shape>>;
  /** The only alert that fires, with its own labels; null: none does. */
  readonly fires: {
    readonly alert: AlertName;
    readonly labels: Readonly<Record<string, string>>;
    readonly summary: string;
  } | null;
}

const fires = (alert: AlertName, labels: Readonly<Record<string, string>>, summary: string) => ({
  alert,
  labels,
  summary,
});
const engineStands = fires(
  "EngineNotTakingWork",
  {},
  "Restate does not answer, or does not run what it is sent",
);
const arkSick = fires(
  "VendorAccountSick",
  { vendor_account: "ark" },
  "The vendor account ark keeps failing",
);
const arkThrottled = fires(
  "VendorAccountThrottled",
  { vendor_account: "ark" },
  "The vendor account ark refuses most submits as too many",
);
const apiWaits = fires(
  "PoolExhausted",
  labelsOf.api,
  "zoetrope-api api:1 waits for database connections",
);
const workerLost = fires(
  "DatabaseDown",
  { ...labelsOf.worker, part: "database" },
  "zoetrope-worker worker:1 cannot reach PostgreSQL",
);
const storageFails = fires("StorageFailing", {}, "The storage of media fails");
const nothingSubmitted = {
  [`zoetrope_wake_ups_repeated_total{${worker},kind="generation"}`]: perSecond(1),
  [`zoetrope_vendor_submits_total{${ark},outcome="accepted"}`]: perSecond(0),
  [`zoetrope_vendor_submits_total{${ark},outcome="throttled"}`]: perSecond(0),
};

export const alertCases: readonly AlertCase[] = [
  { name: "an ordinary day", becomes: {}, fires: null },
  {
    name: "a worker does not answer",
    becomes: { [`up{${worker}}`]: is(0) },
    fires: fires(
      "ProcessDown",
      labelsOf.worker,
      "zoetrope-worker worker:1 does not answer Prometheus",
    ),
  },
  {
    name: "a worker has lost the database",
    becomes: { [`zoetrope_part_up{${worker},part="database"}`]: is(0) },
    fires: workerLost,
  },
  {
    name: "the database is away for so long that loops die",
    becomes: {
      [`zoetrope_part_up{${worker},part="database"}`]: is(0),
      [`zoetrope_loop_alive{${worker},loop="deliveries"}`]: is(0),
    },
    fires: workerLost,
  },
  {
    name: "the database is away, and the api's statements wait for it",
    becomes: {
      [`zoetrope_part_up{${api},part="database"}`]: is(0),
      [`zoetrope_pool_waiting{${api},state="connection"}`]: is(8),
    },
    fires: fires(
      "DatabaseDown",
      { ...labelsOf.api, part: "database" },
      "zoetrope-api api:1 cannot reach PostgreSQL",
    ),
  },
  {
    name: "one process cannot reach the engine",
    becomes: { [`zoetrope_part_up{${api},part="engine"}`]: is(0) },
    fires: engineStands,
  },
  {
    name: "the engine answers but runs nothing",
    becomes: nothingSubmitted,
    fires: engineStands,
  },
  {
    name: "a partition accepts what it is sent and does not run it",
    becomes: { [`zoetrope_engine_partition_silent_seconds{${worker},partition="1"}`]: is(120) },
    fires: fires(
      "EnginePartitionStuck",
      { partition: "1" },
      "Partition 1 of Restate has run nothing for 120 s",
    ),
  },
  {
    name: "no partition runs anything because the engine is away",
    becomes: {
      [`zoetrope_part_up{${worker},part="engine"}`]: is(0),
      [`zoetrope_engine_partition_silent_seconds{${worker},partition="0"}`]: is(120),
      [`zoetrope_engine_partition_silent_seconds{${worker},partition="1"}`]: is(120),
    },
    fires: engineStands,
  },
  {
    name: "nothing is submitted because the vendor has said so",
    becomes: { ...nothingSubmitted, [`zoetrope_vendor_throttled{${ark}}`]: is(1) },
    fires: arkThrottled,
  },
  {
    name: "the storage is away",
    becomes: { [`zoetrope_part_up{${worker},part="storage"}`]: is(0) },
    fires: storageFails,
  },
  {
    name: "the storage answers, but what is stored fails",
    becomes: {
      [`zoetrope_storage_operations_total{${worker},operation="put",outcome="failed"}`]:
        perSecond(1),
    },
    fires: storageFails,
  },
  {
    name: "tasks are over their deadline",
    becomes: { [`zoetrope_open_tasks_overdue{${worker}}`]: is(3) },
    fires: fires("TasksStuck", {}, "3 tasks are still open after their deadline"),
  },
  {
    name: "rows are parked",
    becomes: { [`zoetrope_rows_parked{${worker}}`]: is(2) },
    fires: fires("RowsParked", {}, "2 rows keep failing and wait for an operator"),
  },
  {
    name: "a loop is dead",
    becomes: { [`zoetrope_loop_alive{${worker},loop="deliveries"}`]: is(0) },
    fires: fires(
      "LoopDead",
      { ...labelsOf.worker, loop: "deliveries" },
      "The loop 'deliveries' of worker:1 has stopped succeeding",
    ),
  },
  {
    name: "statements wait for a connection",
    becomes: { [`zoetrope_pool_waiting{${api},state="connection"}`]: is(8) },
    fires: apiWaits,
  },
  {
    name: "statements wait for their accounts' turn",
    becomes: { [`zoetrope_pool_waiting{${api},state="turn"}`]: is(8) },
    fires: apiWaits,
  },
  {
    name: "a vendor account is skipped",
    becomes: { [`zoetrope_vendor_breaker_open{${ark}}`]: is(1) },
    fires: arkSick,
  },
  {
    name: "a vendor answers no polls",
    becomes: {
      [`zoetrope_vendor_polls_total{${ark},outcome="waiting"}`]: perSecond(0),
      [`zoetrope_vendor_polls_total{${ark},outcome="unavailable"}`]: perSecond(2),
    },
    fires: arkSick,
  },
  {
    name: "a vendor refuses most submits",
    becomes: { [`zoetrope_vendor_submits_total{${ark},outcome="throttled"}`]: perSecond(5) },
    fires: arkThrottled,
  },
  {
    name: "in a quiet night the only poll, submit and put fail",
    becomes: {
      [`zoetrope_vendor_submits_total{${ark},outcome="accepted"}`]: perSecond(0),
      [`zoetrope_vendor_submits_total{${ark},outcome="throttled"}`]: perSecond(0.002),
      [`zoetrope_vendor_polls_total{${ark},outcome="waiting"}`]: perSecond(0),
      [`zoetrope_vendor_polls_total{${ark},outcome="unavailable"}`]: perSecond(0.002),
      [`zoetrope_storage_operations_total{${worker},operation="put",outcome="done"}`]: perSecond(0),
      [`zoetrope_wake_ups_repeated_total{${worker},kind="generation"}`]: perSecond(0.002),
    },
    fires: null,
  },
  {
    name: "callbacks fail for many accounts",
    becomes: {
      [`zoetrope_failing_delivery_accounts{${worker}}`]: is(8),
      [`zoetrope_delivery_attempts_total{${worker},outcome="retried"}`]: perSecond(2),
    },
    fires: fires("CallbacksFailing", {}, "Callbacks fail for 8 accounts at once"),
  },
  {
    name: "callbacks fail for many accounts, but most of them arrive",
    becomes: { [`zoetrope_failing_delivery_accounts{${worker}}`]: is(8) },
    fires: null,
  },
  {
    name: "a balance contradicts the ledger",
    becomes: { [`zoetrope_ledger_breaches{${worker}}`]: is(1) },
    fires: fires("LedgerMismatch", {}, "The balances of 1 accounts contradict the ledger"),
  },
  {
    name: "the disk of a worker fills up",
    becomes: { [`zoetrope_work_dir_free_bytes{${worker}}`]: is(1_073_741_824) },
    fires: fires("WorkerDiskLow", labelsOf.worker, "worker:1 has 1GiB left for temporary files"),
  },
  {
    name: "a certificate is not renewed",
    becomes: {
      [`zoetrope_certificate_expiry_timestamp_seconds{${worker},part="public"}`]: is(5 * 86_400),
    },
    fires: fires(
      "CertificateExpiring",
      { part: "public" },
      "The certificate of 'public' expires in 4d 23h 21m 0s, or has expired",
    ),
  },
];
