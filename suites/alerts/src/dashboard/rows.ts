import { metricTable as metrics } from "@zoetrope/server/metrics/metric-table.ts";
import { select, selectBuckets } from "../select.ts";
import type { Panel, PanelUnit, Query, Row } from "./panel.ts";

const range = "[$__rate_interval]";
type Counter = Parameters<typeof select>[0];
type Histogram = Parameters<typeof selectBuckets>[0];

const rate = (by: string, of: Counter): Query => ({
  expression: `sum by (${by}) (rate(${select(of, {}, range)}))`,
  legend: by.replaceAll(/\w+/g, "{{$&}}").replaceAll(", ", " "),
});

const quantiles = (of: Histogram): Query[] =>
  [0.5, 0.95, 0.99].map((quantile) => ({
    expression: `histogram_quantile(${quantile}, sum by (le) (rate(${selectBuckets(of, {}, range)})))`,
    legend: `p${quantile * 100}`,
    hasExemplars: true,
  }));

const lines = (title: string, about: string, unit: PanelUnit, ...queries: Query[]): Panel => ({
  kind: "timeseries",
  title,
  about,
  unit,
  queries,
});

/** One number that should be 0. */
const zero = (title: string, about: string, expression: string): Panel => ({
  kind: "stat",
  title,
  about,
  unit: "short",
  queries: [{ expression, legend: title }],
  redFrom: 1,
});

const perProcess = "{{job}} {{instance}}";

export const rows: readonly Row[] = [
  {
    title: "Should all be zero",
    panels: [
      zero(
        "Firing alerts",
        "Of this service. Each has a section of docs/runbook.md.",
        'count(ALERTS{service="zoetrope",alertstate="firing"}) or vector(0)',
      ),
      zero("Overdue tasks", "TasksStuck", `max(${select(metrics.openTasksOverdue)})`),
      zero("Parked rows", "RowsParked", `max(${select(metrics.rowsParked)})`),
      zero("Ledger breaches", "LedgerMismatch", `max(${select(metrics.ledgerBreaches)})`),
      zero("Dead loops", "LoopDead", `count(${select(metrics.loopAlive)} == 0) or vector(0)`),
      zero(
        "Failed parts",
        "As processes see them",
        `count(${select(metrics.partUp)} == 0) or vector(0)`,
      ),
    ],
  },
  {
    title: "Tasks",
    panels: [
      lines("Accepted", "A second, by model", "reqps", rate("kind, model", metrics.tasksAccepted)),
      lines("Ended", "A second, by outcome", "reqps", rate("outcome", metrics.tasksFinished)),
      lines("Open by age", "In the whole database", "short", {
        expression: `max by (age) (${select(metrics.openTasks)})`,
        legend: "{{age}}",
      }),
      lines("Oldest open task", "Its age", "s", {
        expression: `max(${select(metrics.openTaskOldestSeconds)})`,
        legend: "oldest",
      }),
    ],
  },
  {
    title: "From accepting a task until",
    panels: [
      lines(
        "a vendor accepted it",
        "Includes waiting for quota",
        "s",
        ...quantiles(metrics.taskSubmitSeconds),
      ),
      lines(
        "its vendor job ended",
        "Mostly the vendor's time",
        "s",
        ...quantiles(metrics.taskVendorEndSeconds),
      ),
      lines("it ended", "What the customer waits", "s", ...quantiles(metrics.taskFinishSeconds)),
      lines(
        "its first callback was tried",
        "What the customer's server sees",
        "s",
        ...quantiles(metrics.taskCallbackSeconds),
      ),
    ],
  },
  {
    title: "Vendors",
    panels: [
      lines("Submits", "A second", "reqps", rate("vendor_account, outcome", metrics.vendorSubmits)),
      lines(
        "Polls",
        "Jobs a second",
        "reqps",
        rate("vendor_account, outcome", metrics.vendorPolls),
      ),
      lines(
        "Videos measured",
        "A second, as they arrive; unusual ones by ffprobe",
        "short",
        rate("outcome", metrics.outputsMeasured),
      ),
      lines(
        "Skipped or throttled",
        "1 while an account is passed by",
        "short",
        {
          expression: `max by (vendor_account) (${select(metrics.vendorBreakerOpen)})`,
          legend: "{{vendor_account}} skipped",
        },
        {
          expression: `max by (vendor_account) (${select(metrics.vendorThrottled)})`,
          legend: "{{vendor_account}} throttled",
        },
      ),
      lines("Requests left", "Where a vendor tells", "short", {
        expression: `min by (vendor_account) (${select(metrics.vendorRequestsLeft)})`,
        legend: "{{vendor_account}}",
      }),
    ],
  },
  {
    title: "Callbacks and upscales",
    panels: [
      lines(
        "Attempts",
        "To deliver callbacks, a second",
        "reqps",
        rate("outcome", metrics.deliveryAttempts),
      ),
      lines(
        "To be delivered",
        "In the whole database",
        "short",
        { expression: `max(${select(metrics.openDeliveries)})`, legend: "callbacks" },
        {
          expression: `max(${select(metrics.failingDeliveryAccounts)})`,
          legend: "accounts whose callbacks fail",
        },
      ),
      lines("Segments", "Of open upscales", "short", {
        expression: `max by (state) (${select(metrics.segments)})`,
        legend: "{{state}}",
      }),
      lines("Segments worked", "A second", "reqps", rate("outcome", metrics.segmentsWorked)),
    ],
  },
  {
    title: "API",
    panels: [
      lines("Requests", "A second, by status", "reqps", rate("status", metrics.requests)),
      lines("Slowest routes", "95th percentile; long polls include their wait", "s", {
        expression: `topk(10, histogram_quantile(0.95, sum by (route, le) (rate(${selectBuckets(metrics.requestSeconds, {}, range)}))))`,
        legend: "{{route}}",
        hasExemplars: true,
      }),
    ],
  },
  {
    title: "Engine and loops",
    panels: [
      lines(
        "Wake-ups",
        "A second; all but `sent` are lost",
        "reqps",
        rate("outcome", metrics.wakeUps),
      ),
      lines("Repeated by the sweep", "A second", "reqps", rate("kind", metrics.wakeUpsRepeated)),
      lines("Silent partitions of the engine", "Since each last ran something", "s", {
        expression: `max by (partition) (${select(metrics.enginePartitionSilentSeconds)})`,
        legend: "{{partition}}",
      }),
      lines("Since the last success of a loop", "The ten longest ago", "s", {
        expression: `topk(10, time() - ${select(metrics.loopLastSuccess)})`,
        legend: "{{loop}} {{instance}}",
      }),
    ],
  },
  {
    title: "Processes",
    panels: [
      lines("Database connections", "In use of the pool", "percentunit", {
        expression: `${select(metrics.poolConnections, { state: "used" })} / ignoring (state) ${select(metrics.poolConnectionsMax)}`,
        legend: perProcess,
      }),
      lines("Waiting for a connection", "Statements", "short", {
        expression: select(metrics.poolWaiting),
        legend: `${perProcess} {{state}}`,
      }),
      lines("Event loop lag", "99th percentile", "s", {
        expression: `histogram_quantile(0.99, sum by (job, instance, le) (rate(${selectBuckets(metrics.eventLoopLag, {}, range)})))`,
        legend: perProcess,
      }),
    ],
  },
  {
    title: "Storage and disks",
    panels: [
      lines(
        "Calls to the storage",
        "A second",
        "reqps",
        rate("operation, outcome", metrics.storageOperations),
      ),
      lines(
        "Stored",
        "Assets of all accounts, and what is written",
        "bytes",
        { expression: `max(${select(metrics.storedBytes)})`, legend: "assets" },
        {
          expression: `sum(rate(${select(metrics.storageWritten, {}, range)}))`,
          legend: "written a second",
        },
      ),
      lines(
        "Free space",
        "Of workers' temporary files, and of STORAGE_DIR",
        "bytes",
        { expression: select(metrics.workDirFree), legend: "{{instance}} work" },
        { expression: `min(${select(metrics.storageFree)})`, legend: "storage" },
      ),
      lines("Certificates", "Time until they expire", "s", {
        expression: `max by (part) (${select(metrics.certificateExpiry)}) - time()`,
        legend: "{{part}}",
      }),
    ],
  },
];
