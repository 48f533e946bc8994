import { metricTable } from "@zoetrope/server/metrics/metric-table.ts";
import { jobs } from "../jobs.ts";
import { select } from "../select.ts";
import {
  createsFail,
  createsSlow,
  type Duration,
  modelBlocks,
  modelFails,
  resultsSlow,
} from "./objectives.ts";

/** `page`: somebody is woken. `ticket`: somebody looks today. */
type Severity = "page" | "ticket";

export interface Alert {
  readonly severity: Severity;
  /** The seconds for which the expression must hold. */
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
  reviewOldestSeconds,
  rowsParked,
  storageFree,
  storageOperations,
  vendorAccountClosed,
  vendorBreakerOpen,
  vendorPolls,
  vendorSubmits,
  vendorThrottled,
  wakeUpsRepeated,
  workDirFree,
} = metricTable;

/** Reviewers are mailed from a quarter of an hour on. */
const reviewHoursMax = 2;
const failingAccountsMin = 5;
/** The time of three canaries without a response. */
const silentSecondsMax = 90;
/** Two results of 1.5 GiB, and some files of callers. */
const diskBytesMin = 5_000_000_000;

const fenceUp = `min(${select(partUp, { part: "fence" })})`;

/** More than this share of all, and more than a few: one failure in a quiet hour is not an outage. */
function shareAbove(share: number, by: string, of: string, all: string): string {
  const increase = (series: string) => `sum${by}(increase(${series}))`;
  return `(${increase(of)} > 5 and ${increase(of)} / ${increase(all)} > ${share})`;
}

/**
 * Every alert. Facts about the whole database are the same from every worker, hence `max`. The
 * cause of many alerts fires alone: an outage of a part explains what it brings to a halt.
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
  DatabaseBehind: {
    severity: "page",
    forSeconds: 0,
    summary:
      "Nothing is submitted to vendors: the database was restored and not reconciled, or the note of its position is damaged",
    expression: () => `${fenceUp} == 0`,
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
    expression: () => `max(${select(openTasksOverdue)}) > 0 unless on () ${fenceUp} == 0`,
  },
  ModelFailing: {
    severity: "page",
    forSeconds: minute,
    summary: "Tasks of the model {{ $labels.model }} fail, or none of them ends",
    expression: modelFails,
  },
  ModelBlocking: {
    severity: "ticket",
    forSeconds: 5 * minute,
    summary:
      "Most tasks of the model {{ $labels.model }} are blocked for their content or refused by the vendor",
    expression: modelBlocks,
  },
  ResultsSlow: {
    severity: "ticket",
    forSeconds: 10 * minute,
    summary:
      "Half of the tasks of the model {{ $labels.model }} take longer than {{ $value | humanizeDuration }}, three times as long as before",
    expression: resultsSlow,
  },
  CreatesFailing: {
    severity: "page",
    forSeconds: minute,
    summary: "{{ $labels.route }} fails",
    expression: createsFail,
  },
  CreatesSlow: {
    severity: "page",
    forSeconds: 5 * minute,
    summary: "More than one in a hundred calls of {{ $labels.route }} takes longer than a second",
    expression: createsSlow,
  },
  ReviewsWaiting: {
    severity: "ticket",
    forSeconds: minute,
    summary: "The oldest asset has waited {{ $value | humanizeDuration }} for a review",
    expression: () => `max(${select(reviewOldestSeconds)}) > ${reviewHoursMax * 60 * minute}`,
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
      const parts = ["database", "engine", "storage", "fence"] as const;
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
      const isThrottled = `max by (vendor_account) (avg_over_time(${select(vendorThrottled, {}, range)})) > 0.5`;
      return `${share} or ${isThrottled}`;
    },
  },
  VendorAccountClosed: {
    severity: "ticket",
    forSeconds: 30 * minute,
    summary:
      "The vendor account {{ $labels.vendor_account }} takes no submits ({{ $labels.reason }})",
    expression: () => `max by (vendor_account, reason) (${select(vendorAccountClosed)}) == 1`,
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
    summary:
      "{{ $labels.instance }} has {{ $value | humanize1024 }}B left for temporary files or for media",
    expression: () =>
      `${select(workDirFree)} < ${diskBytesMin} or ${select(storageFree)} < ${diskBytesMin}`,
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
