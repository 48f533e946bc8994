import type { AlertName } from "./alert-table.ts";
import {
  api,
  ark,
  create,
  flaps,
  is,
  ordinary,
  perSecond,
  type Shape,
  task,
  worker,
} from "./ordinary-day.ts";

const labelsOf = {
  api: { job: "zoetrope-api", instance: "api:1" },
  worker: { job: "zoetrope-worker", instance: "worker:1" },
};

export interface AlertCase {
  readonly name: string;
  /** The shapes of one phase, between an ordinary one and another. */
  readonly becomes: Readonly<Record<string, Shape>>;
  /** 20 unless given: longer than the window after which the alert clears. */
  readonly phaseMinutes?: number;
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

const diskLow = fires(
  "WorkerDiskLow",
  labelsOf.worker,
  "worker:1 has 1GiB left for temporary files or for media",
);
const sd2Fails = fires(
  "ModelFailing",
  { model: "sd2" },
  "Tasks of the model sd2 fail, or none of them ends",
);
const sd2Blocks = fires(
  "ModelBlocking",
  { model: "sd2" },
  "Most tasks of the model sd2 are blocked for their content or refused by the vendor",
);
const createFails = fires(
  "CreatesFailing",
  { route: "/api/v1/jobs/createTask" },
  "/api/v1/jobs/createTask fails",
);
const someCreatesFail = {
  [`zoetrope_http_requests_total{${create},status="503"}`]: perSecond(0.1),
};
const accountClosed = (reason: string) => ({
  phaseMinutes: 40,
  becomes: { [`zoetrope_vendor_account_closed{${ark},reason="${reason}"}`]: is(1) },
  fires: fires(
    "VendorAccountClosed",
    { vendor_account: "ark", reason },
    `The vendor account ark takes no submits (${reason})`,
  ),
});
const nothingEnds = Object.fromEntries(
  Object.keys(ordinary)
    .filter((series) => series.includes('mode="live"') && !series.includes("accepted"))
    .map((series) => [series, perSecond(0)]),
);

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
      [`zoetrope_http_requests_total{${create},status="200"}`]: perSecond(0),
      [`zoetrope_http_requests_total{${create},status="503"}`]: perSecond(0.6),
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
    name: "the database was restored, and tasks pass their deadline and a loop is dead meanwhile",
    becomes: {
      [`zoetrope_part_up{${worker},part="fence"}`]: is(0),
      [`zoetrope_open_tasks_overdue{${worker}}`]: is(3),
      [`zoetrope_loop_alive{${worker},loop="deliveries"}`]: is(0),
    },
    fires: fires(
      "DatabaseBehind",
      {},
      "Nothing is submitted to vendors: the database was restored and not reconciled, or the note of its position is damaged",
    ),
  },
  {
    name: "most tasks of a model fail",
    phaseMinutes: 40,
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="completed"}`]: perSecond(0.1),
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_failed"}`]: perSecond(0.4),
    },
    fires: sd2Fails,
  },
  {
    name: "one in eight tasks of a model fails for a long time",
    phaseMinutes: 60,
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_failed"}`]: perSecond(0.08),
    },
    fires: sd2Fails,
  },
  {
    name: "tasks of a model are accepted and none ends",
    phaseMinutes: 80,
    becomes: nothingEnds,
    fires: sd2Fails,
  },
  {
    name: "no task ends because the engine is away",
    phaseMinutes: 80,
    becomes: { ...nothingEnds, [`zoetrope_part_up{${worker},part="engine"}`]: is(0) },
    fires: engineStands,
  },
  {
    name: "after a batch that has ended nothing is created",
    phaseMinutes: 80,
    becomes: {
      ...nothingEnds,
      [`zoetrope_tasks_accepted_total{${api},kind="generation",mode="live",model="sd2"}`]:
        perSecond(0),
    },
    fires: null,
  },
  {
    name: "in a quiet night the only task fails",
    becomes: {
      ...nothingEnds,
      [`zoetrope_tasks_accepted_total{${api},kind="generation",mode="live",model="sd2"}`]:
        perSecond(0.001),
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_failed"}`]: perSecond(0.0005),
    },
    fires: null,
  },
  {
    name: "most tasks fail by what their callers send",
    becomes: { [`zoetrope_tasks_finished_total{${task},outcome="input_unusable"}`]: perSecond(3) },
    fires: null,
  },
  {
    name: "a vendor refuses a sixth of the tasks, as one customer's",
    phaseMinutes: 40,
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_refused"}`]: perSecond(0.12),
    },
    fires: null,
  },
  {
    name: "a vendor refuses all tasks of a model",
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="completed"}`]: perSecond(0),
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_refused"}`]: perSecond(0.5),
    },
    fires: sd2Fails,
  },
  {
    name: "a vendor refuses all of a few tasks of a model",
    phaseMinutes: 100,
    becomes: {
      ...nothingEnds,
      [`zoetrope_tasks_accepted_total{${api},kind="generation",mode="live",model="sd2"}`]:
        perSecond(0.003),
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_refused"}`]: perSecond(0.003),
    },
    fires: sd2Fails,
  },
  {
    name: "a vendor refuses most tasks, and the others complete",
    phaseMinutes: 80,
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="completed"}`]: perSecond(0.1),
      [`zoetrope_tasks_finished_total{${task},outcome="vendor_refused"}`]: perSecond(2),
    },
    fires: sd2Blocks,
  },
  {
    name: "a vendor's filter blocks most tasks",
    becomes: {
      [`zoetrope_tasks_finished_total{${task},outcome="completed"}`]: perSecond(0.1),
      [`zoetrope_tasks_finished_total{${task},outcome="output_blocked"}`]: perSecond(2),
    },
    fires: sd2Blocks,
  },
  {
    name: "results take much longer than before",
    phaseMinutes: 40,
    becomes: {
      [`zoetrope_task_finish_seconds_bucket{${task},le="60.0"}`]: perSecond(0),
      [`zoetrope_task_finish_seconds_bucket{${task},le="120.0"}`]: perSecond(0),
    },
    fires: fires(
      "ResultsSlow",
      { model: "sd2" },
      "Half of the tasks of the model sd2 take longer than 3m 30s, three times as long as before",
    ),
  },
  {
    name: "creates are answered 503, among many strangers that are refused",
    phaseMinutes: 40,
    becomes: someCreatesFail,
    fires: createFails,
  },
  {
    name: "the database comes and goes too quickly to be down, and creates are answered 503",
    phaseMinutes: 40,
    becomes: { ...someCreatesFail, [`zoetrope_part_up{${api},part="database"}`]: flaps(0, 1) },
    fires: createFails,
  },
  {
    name: "the storage fails every other check of a worker, and creates are answered 503",
    phaseMinutes: 40,
    becomes: { ...someCreatesFail, [`zoetrope_part_up{${worker},part="storage"}`]: flaps(1, 0) },
    fires: createFails,
  },
  {
    name: "the database comes and goes, and tasks are accepted and none ends",
    phaseMinutes: 80,
    becomes: { ...nothingEnds, [`zoetrope_part_up{${worker},part="database"}`]: flaps(0, 1) },
    fires: sd2Fails,
  },
  {
    name: "some creates take longer than a second",
    becomes: {
      [`zoetrope_http_request_duration_seconds_bucket{${create},le="1.0"}`]: perSecond(0.55),
    },
    fires: fires(
      "CreatesSlow",
      { route: "/api/v1/jobs/createTask" },
      "More than one in a hundred calls of /api/v1/jobs/createTask takes longer than a second",
    ),
  },
  {
    name: "an operator has paused a vendor account and forgotten it",
    ...accountClosed("paused"),
  },
  { name: "a vendor account has used up its credits of the day", ...accountClosed("budget") },
  { name: "a worker cannot open the key of a vendor account", ...accountClosed("unusable") },
  {
    name: "nobody reviews assets",
    becomes: { [`zoetrope_review_oldest_age_seconds{${worker}}`]: is(9_000) },
    fires: fires("ReviewsWaiting", {}, "The oldest asset has waited 2h 30m 0s for a review"),
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
    fires: diskLow,
  },
  {
    name: "the disk of the media fills up",
    becomes: { [`zoetrope_storage_free_bytes{${worker}}`]: is(1_073_741_824) },
    fires: diskLow,
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
