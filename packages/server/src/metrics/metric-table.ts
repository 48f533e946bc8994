import {
  type CatalogueEntry,
  type ErrorCode,
  errorCatalogue,
  type FailureCode,
} from "../errors.ts";
import { counter, gauge, histogram, type Metric } from "./define-metric.ts";

/** The buckets of task durations, from the quickest tasks to the longest deadline. */
const taskSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200, 3_600, 7_200];
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const lagSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const failureCodes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
  (code): code is FailureCode => {
    const entry: CatalogueEntry = errorCatalogue[code];
    return entry.status === null || entry.endsTask === true;
  },
);
const outcomes: readonly ("completed" | FailureCode)[] = ["completed", ...failureCodes];

const kind = ["generation", "upscale"] as const;
/** Whether of a live account or of its test twin, whose tasks fail on request. */
const mode = ["live", "test"] as const;
const model = { valuesMax: 50 };
const vendorAccount = { valuesMax: 50 };
const loop = { valuesMax: 80 };

/** The age groups of open tasks. */
export const taskAges = ["under_1m", "1m_to_10m", "10m_to_1h", "1h_to_3h", "over_3h"] as const;

export const closedReasons = ["paused", "budget", "unusable"] as const;

export const segmentStates = ["free", "leased", "later", "done", "failed"] as const;

export const storageOperations = ["put", "read", "locate", "remove", "list", "check"] as const;

/**
 * The parts that have a certificate: the settings `PUBLIC_URL`, `S3_ENDPOINT`, `RESTATE_INGRESS_URL` and
 * `RESTATE_ADMIN_URL`.
 */
export const certificateParts = ["public", "storage", "engine", "engine_admin", "label"] as const;

/**
 * Every metric. Instruments, `docs/generated/metrics.md`, dashboards and alerts are made from it. A
 * label never names an account, a task or a URL.
 */
export const metricTable = {
  requests: counter("http_requests", "Requests to which the api has responded", {
    route: { valuesMax: 200 },
    status: { valuesMax: 60 },
  }),
  requestSeconds: histogram(
    "http_request_duration",
    "How long responses took; long polls and streams include their wait",
    { route: { valuesMax: 200 } },
    requestSeconds,
  ),
  tasksAccepted: counter("tasks_accepted", "Tasks accepted; replays are not counted", {
    kind,
    mode,
    model,
  }),
  createsWaiting: gauge(
    "creates_waiting",
    "Creates in this api process that wait for a transaction in which they are accepted",
    {},
  ),
  createsRefused: counter(
    "creates_refused",
    "Creates that this api process refused because too many others were waiting",
    {},
  ),
  tasksFinished: counter("tasks_finished", "Tasks that ended", {
    kind,
    mode,
    model,
    outcome: outcomes,
  }),
  taskSubmitSeconds: histogram(
    "task_submit",
    "From accepting a task until a vendor has accepted it; an upscale: until its segments are planned",
    { model },
    taskSeconds,
  ),
  taskVendorEndSeconds: histogram(
    "task_vendor_end",
    "From accepting a task until the end of its vendor job was seen; `upscaler`: of its last segment",
    { vendor_account: vendorAccount },
    taskSeconds,
  ),
  taskFinishSeconds: histogram(
    "task_finish",
    "From accepting a task until it ended",
    { kind, mode, model },
    taskSeconds,
  ),
  taskCallbackSeconds: histogram(
    "task_callback",
    "From accepting a task until the end of the first attempt to deliver its callback",
    {},
    taskSeconds,
  ),
  openTasks: gauge(
    "open_tasks",
    "Tasks in flight by age, in the whole database; counted up to 100000",
    { age: taskAges },
  ),
  openTaskOldestSeconds: gauge(
    "open_task_oldest_age",
    "Age of the oldest task in flight; 0 without one",
    {},
    "seconds",
  ),
  openTasksOverdue: gauge(
    "open_tasks_overdue",
    "Tasks in flight a minute after their deadline; counted up to 10000",
    {},
  ),
  rowsParked: gauge(
    "rows_parked",
    "Rows that keep failing and wait for an operator; counted up to 10000",
    {},
  ),
  reviewsWaiting: gauge(
    "reviews_waiting",
    "Assets that wait for a person's review; counted up to 10000",
    {},
  ),
  reviewOldestSeconds: gauge(
    "review_oldest_age",
    "For how long the oldest of them has waited; 0 without one",
    {},
    "seconds",
  ),
  enginePartitionSilentSeconds: gauge(
    "engine_partition_silent",
    "Time since a partition of the engine last ran what it was sent; 0 where it has run the last canary",
    { partition: { valuesMax: 1_024 } },
    "seconds",
  ),
  vendorSubmits: counter("vendor_submits", "Submits to a vendor account", {
    vendor_account: vendorAccount,
    outcome: ["accepted", "delivered", "refused", "throttled", "unavailable", "unknown"],
  }),
  vendorPolls: counter("vendor_polls", "Jobs polled at a vendor account", {
    vendor_account: vendorAccount,
    outcome: ["waiting", "succeeded", "failed", "missing", "unavailable"],
  }),
  vendorBreakerOpen: gauge(
    "vendor_breaker_open",
    "1 while submits skip a vendor account because it keeps failing",
    { vendor_account: vendorAccount },
  ),
  vendorAccountClosed: gauge(
    "vendor_account_closed",
    "1 while an account with a key takes no submits: an operator paused it, its credits of the day are used up, or this worker cannot decrypt its key",
    { vendor_account: vendorAccount, reason: closedReasons },
  ),
  vendorRequestsLeft: gauge(
    "vendor_requests_left",
    "How many more requests a vendor account allows, as reported in the last five minutes; only where it reports them",
    { vendor_account: vendorAccount },
  ),
  vendorThrottled: gauge(
    "vendor_throttled",
    "1 while a vendor account refuses submits for a stated time",
    { vendor_account: vendorAccount },
  ),
  outputsMeasured: counter(
    "outputs_measured",
    "Videos of vendors: measured as they arrived, or of an `unusual` form and left to ffprobe",
    { outcome: ["measured", "unusual"] },
  ),
  deliveryAttempts: counter("delivery_attempts", "Attempts to deliver a callback", {
    outcome: ["delivered", "retried", "given_up"],
  }),
  openDeliveries: gauge(
    "open_deliveries",
    "Callbacks to be delivered, in the whole database; counted up to 100000",
    {},
  ),
  failingDeliveryAccounts: gauge(
    "failing_delivery_accounts",
    "Accounts with a callback whose last attempt failed, among the 10000 oldest such callbacks",
    {},
  ),
  segmentsWorked: counter("segments_worked", "Segments that this worker stopped working on", {
    outcome: ["done", "waiting", "failed", "error"],
  }),
  segments: gauge(
    "segments",
    "Segments of open upscales by state, in the whole database; counted up to 100000",
    { state: segmentStates },
  ),
  wakeUps: counter("wake_ups", "Wake-ups to the engine; all but `sent` are lost", {
    outcome: ["sent", "refused", "failed", "dropped"],
  }),
  wakeUpsRepeated: counter("wake_ups_repeated", "Wake-ups that the sweep sent again", { kind }),
  loopLastSuccess: gauge(
    "loop_last_success_timestamp",
    "When a loop of this worker last succeeded, in seconds since 1970",
    { loop },
    "seconds",
  ),
  loopAlive: gauge("loop_alive", "1 while a loop of this process succeeds often enough", { loop }),
  poolConnections: gauge("pool_connections", "Database connections of this process", {
    state: ["used", "idle"],
  }),
  poolConnectionsMax: gauge("pool_connections_max", "Size of the pool", {}),
  poolWaiting: gauge(
    "pool_waiting",
    "Statements that wait for a database connection, or in the api for their account's turn at one",
    { state: ["connection", "turn"] },
  ),
  eventLoopLag: histogram(
    "event_loop_lag",
    "How late a timer of this process fired, ten times a second",
    {},
    lagSeconds,
  ),
  partUp: gauge("part_up", "1 while a dependency of this process passes its health check", {
    part: { valuesMax: 10 },
  }),
  certificateExpiry: gauge(
    "certificate_expiry_timestamp",
    "When the certificate at an https address of the settings, or the one that signs outputs, expires, in seconds since 1970; read once an hour",
    { part: certificateParts },
    "seconds",
  ),
  storageOperations: counter(
    "storage_operations",
    "Calls to the storage; those of clients by link are not seen",
    {
      operation: storageOperations,
      outcome: ["done", "failed"],
    },
  ),
  storageWritten: counter(
    "storage_written",
    "Size of the files that this process has stored",
    {},
    "bytes",
  ),
  storageFree: gauge("storage_free", "Free space of `STORAGE_DIR`; not shown with S3", {}, "bytes"),
  workDirFree: gauge("work_dir_free", "Free space where temporary files are kept", {}, "bytes"),
  ledgerBreaches: gauge(
    "ledger_breaches",
    "Accounts whose balance contradicts their newest transfers, in the last walk over all accounts",
    {},
  ),
  storedBytes: gauge(
    "stored",
    "Size of all assets of all accounts, in the last walk over all accounts",
    {},
    "bytes",
  ),
} satisfies Record<string, Metric>;

export type MetricTable = typeof metricTable;
