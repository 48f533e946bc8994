import { metricTable } from "@zoetrope/server/metrics/metric-table.ts";
import { select } from "../select.ts";

/** `page`: somebody is woken. `ticket`: somebody looks today. */
type Severity = "page" | "ticket";

/** A time in PromQL. The drill shortens all of them by one factor. */
export type Duration = (seconds: number) => string;

export interface Alert {
  readonly severity: Severity;
  /** How long the expression must hold. */
  readonly forSeconds: number;
  /** One sentence; `{{ $labels.… }}` and `{{ $value }}` are filled in by Prometheus. */
  readonly summary: string;
  expression(duration: Duration): string;
}

const minute = 60;
const day = 24 * 60 * minute;
/** Certificates that renew themselves do so thirty days ahead. */
const certificateDaysMin = 14;
const {
  certificateExpiry,
  deliveryAttempts,
  enginePartitionSilentSeconds,
  failingDeliveryAccounts,
  ledgerBreaches,
  loopAlive,
  openTasksOverdue,
  partUp,
  poolConnectionsMax,
  poolWaiting,
  rowsParked,
  storageOperations,
  vendorBreakerOpen,
  vendorPolls,
  vendorSubmits,
  vendorThrottled,
  wakeUpsRepeated,
  workDirFree,
} = metricTable;

export const jobs = { api: "zoetrope-api", worker: "zoetrope-worker" } as const;
const failingAccountsMin = 5;
/** Three canaries without an answer. */
const silentSecondsMax = 90;
/** Two results of 1.5 GiB, and some files of callers. */
const diskBytesMin = 5_000_000_000;

/** More than this share of all, and more than a few: one failure in a quiet hour is not an outage. */
function shareAbove(share: number, by: string, of: string, all: string): string {
  const increase = (series: string) => `sum${by}(increase(${series}))`;
  return `(${increase(of)} > 5 and ${increase(of)} / ${increase(all)} > ${share})`;
}

/**
 * Every alert. What concerns the whole database is the same from every worker, hence `max`. The cause of
 * many alerts fires alone: an outage of a part explains what it brings to a halt.
 */
export const alertTable = {
  ProcessDown: {
    severity: "page",
    forSeconds: 2 * minute,
    summary: "{{ $labels.job }} {{ $labels.instance }} does not answer Prometheus",
    expression: () =>
      [
        `up{job=~"${jobs.api}|${jobs.worker}"} == 0`,
        ...Object.values(jobs).map((job) => `absent(up{job="${job}"})`),
      ].join(" or "),
  },
  DatabaseDown: {
    severity: "page",
    forSeconds: minute,
    summary: "{{ $labels.job }} {{ $labels.instance }} cannot reach PostgreSQL",
    expression: () => `${select(partUp, { part: "database" })} == 0`,
  },
  EngineNotTakingWork: {
    severity: "page",
    forSeconds: 2 * minute,
    summary: "Restate does not answer, or does not run what it is sent",
    expression: (duration) => {
      const range = `[${duration(10 * minute)}]`;
      const repeated = `sum(increase(${select(wakeUpsRepeated, { kind: "generation" }, range)})) > 5`;
      const submits = `sum(increase(${select(vendorSubmits, {}, range)})) > 0`;
      const throttled = `max(max_over_time(${select(vendorThrottled, {}, range)})) == 1`;
      return `min(${select(partUp, { part: "engine" })}) == 0 or (${repeated} unless ${submits} unless ${throttled})`;
    },
  },
  EnginePartitionStuck: {
    severity: "page",
    forSeconds: minute,
    summary: "Partition {{ $labels.partition }} of Restate has run nothing for {{ $value }} s",
    expression: () => {
      const silent = `max by (partition) (${select(enginePartitionSilentSeconds)}) > ${silentSecondsMax}`;
      return `round(${silent}) unless on () min(${select(partUp, { part: "engine" })}) == 0`;
    },
  },
  StorageFailing: {
    severity: "page",
    forSeconds: 2 * minute,
    summary: "The storage of media fails",
    expression: (duration) => {
      const range = `[${duration(5 * minute)}]`;
      const work = { not: "check" } as const;
      const failed = select(storageOperations, { operation: work, outcome: "failed" }, range);
      const all = select(storageOperations, { operation: work }, range);
      return `min(${select(partUp, { part: "storage" })}) == 0 or ${shareAbove(0.2, "", failed, all)}`;
    },
  },
  TasksStuck: {
    severity: "page",
    forSeconds: 5 * minute,
    summary: "{{ $value }} tasks are still open after their deadline",
    expression: () => `max(${select(openTasksOverdue)}) > 0`,
  },
  RowsParked: {
    severity: "ticket",
    forSeconds: minute,
    summary: "{{ $value }} rows keep failing and wait for an operator",
    expression: () => `max(${select(rowsParked)}) > 0`,
  },
  LoopDead: {
    severity: "page",
    forSeconds: minute,
    summary: "The loop '{{ $labels.loop }}' of {{ $labels.instance }} has stopped succeeding",
    expression: () => {
      const parts = ["database", "engine", "storage"] as const;
      const outage = `${select(partUp, { part: { in: parts } })} == 0`;
      return `${select(loopAlive)} == 0 unless on (job, instance) ${outage}`;
    },
  },
  PoolExhausted: {
    severity: "page",
    forSeconds: 2 * minute,
    summary: "{{ $labels.job }} {{ $labels.instance }} waits for database connections",
    expression: (duration) => {
      const range = `[${duration(5 * minute)}]`;
      const waiting = `sum by (job, instance) (avg_over_time(${select(poolWaiting, {}, range)}))`;
      const half = `0.5 * max by (job, instance) (${select(poolConnectionsMax)})`;
      const outage = `min_over_time(${select(partUp, { part: "database" }, range)}) == 0`;
      return `${waiting} > ${half} unless on (job, instance) ${outage}`;
    },
  },
  VendorAccountSick: {
    severity: "page",
    forSeconds: 5 * minute,
    summary: "The vendor account {{ $labels.vendor_account }} keeps failing",
    expression: (duration) => {
      const range = `[${duration(5 * minute)}]`;
      const failed = select(vendorPolls, { outcome: "unavailable" }, range);
      const share = shareAbove(
        0.5,
        " by (vendor_account) ",
        failed,
        select(vendorPolls, {}, range),
      );
      return `max by (vendor_account) (${select(vendorBreakerOpen)}) == 1 or ${share}`;
    },
  },
  VendorAccountThrottled: {
    severity: "ticket",
    forSeconds: 5 * minute,
    summary: "The vendor account {{ $labels.vendor_account }} refuses most submits as too many",
    expression: (duration) => {
      const range = `[${duration(10 * minute)}]`;
      const refused = select(vendorSubmits, { outcome: "throttled" }, range);
      const all = select(vendorSubmits, {}, range);
      const share = shareAbove(0.5, " by (vendor_account) ", refused, all);
      // While a vendor has said for how long, nothing is submitted.
      const told = `max by (vendor_account) (avg_over_time(${select(vendorThrottled, {}, range)})) > 0.5`;
      return `${share} or ${told}`;
    },
  },
  CallbacksFailing: {
    severity: "page",
    forSeconds: 5 * minute,
    summary: "Callbacks fail for {{ $value }} accounts at once",
    expression: (duration) => {
      const range = `[${duration(5 * minute)}]`;
      const attempts = (of: string) => `sum(rate(${of}))`;
      const failed = attempts(select(deliveryAttempts, { outcome: { not: "delivered" } }, range));
      const delivered = attempts(select(deliveryAttempts, { outcome: "delivered" }, range));
      return `max(${select(failingDeliveryAccounts)}) >= ${failingAccountsMin} and ${failed} > ${delivered}`;
    },
  },
  LedgerMismatch: {
    severity: "page",
    forSeconds: 0,
    summary: "The balances of {{ $value }} accounts contradict the ledger",
    expression: () => `max(${select(ledgerBreaches)}) > 0`,
  },
  WorkerDiskLow: {
    severity: "page",
    forSeconds: 5 * minute,
    summary: "{{ $labels.instance }} has {{ $value | humanize1024 }}B left for temporary files",
    expression: () => `${select(workDirFree)} < ${diskBytesMin}`,
  },
  CertificateExpiring: {
    severity: "page",
    forSeconds: 10 * minute,
    summary:
      "The certificate of '{{ $labels.part }}' expires in {{ $value | humanizeDuration }}, or has expired",
    expression: () =>
      `max by (part) (${select(certificateExpiry)}) - time() < ${certificateDaysMin * day}`,
  },
} satisfies Record<string, Alert>;

export type AlertName = keyof typeof alertTable;
