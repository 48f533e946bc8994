import { type FailureCode, failuresOf } from "@zoetrope/server/errors.ts";
import { metricTable } from "@zoetrope/server/metrics/metric-table.ts";
import { jobs } from "../jobs.ts";
import { select, selectBuckets, selectCount } from "../select.ts";

/** A time in PromQL. The drill shortens all of them by one factor. */
export type Duration = (seconds: number) => string;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const { requests, requestSeconds, taskFinishSeconds, tasksAccepted, tasksFinished } = metricTable;

/**
 * The share of tasks that end well, except those whose failure is the caller's fault, and of
 * creates that succeed among those that the service can accept.
 */
const tasksObjective = 0.99;
const createsObjective = 0.999;
/** An hour at 14.4 times the allowed rate uses up two percent of a month's failures, six hours at 6 times five. */
const burns = [
  { times: 14.4, long: hour, short: 5 * minute },
  { times: 6, long: 6 * hour, short: 30 * minute },
] as const;
/** One failure in a quiet hour is not an outage. */
const failuresMin = 5;

const live = { mode: "live" } as const;
const serviceFailures = failuresOf("service");
const contentFailures = failuresOf("content");
const creates = { route: { in: ["/api/v1/jobs/createTask", "/api/v1/upscale/create"] } } as const;
const createSeconds = "1.0";
const unclearFailures = failuresOf("unclear");

/** The alerts of parts whose outage explains what customers notice, until its failures have left the window. */
export const partAlerts = [
  "DatabaseDown",
  "DatabaseBehind",
  "EngineNotTakingWork",
  "StorageFailing",
] as const;

/**
 * Returns an expression for a part's alert that fires, or has within the range. A part that fails
 * single checks raises no separate alert, so it must not silence another. Rules of a group are
 * evaluated in their order: theirs come first.
 */
function partIsReported(range = "", matcher = ""): string {
  const firing = `ALERTS{alertname=~"${partAlerts.join("|")}",alertstate="firing"${matcher}}`;
  return range === "" ? firing : `last_over_time(${firing}${range})`;
}

/** Creates run in the api: a worker that has lost the database does not explain them. */
const createsAreReported = (range: string) => partIsReported(range, `,job!="${jobs.worker}"`);

/**
 * More failures than the objective allows, over a long window, and still so over a short one. The short
 * one ends the alert soon after the failures end.
 */
function burnsTooFast(
  objective: number,
  by: string,
  { bad, all }: Record<"bad" | "all", (range: string) => string>,
  duration: Duration,
): string {
  const increase = (series: string) => `sum by (${by}) (increase(${series}))`;
  const pairs = burns.map(({ times, long, short }) => {
    const share = (seconds: number) => {
      const range = `[${duration(seconds)}]`;
      const rate = Number((times * (1 - objective)).toFixed(6));
      return `${increase(bad(range))} / ${increase(all(range))} > ${rate}`;
    };
    const isMany = `${increase(bad(`[${duration(long)}]`))} > ${failuresMin}`;
    return `(${share(long)} and ${share(short)} and ${isMany})`;
  });
  return pairs.join(" or ");
}

const ended =
  (...outcomes: readonly ("completed" | FailureCode)[]) =>
  (range: string) =>
    select(tasksFinished, { ...live, outcome: { in: outcomes } }, range);
const byModel = (series: string) => `sum by (model) (increase(${series}))`;

/** The vendor refuses tasks of a model and none completes: it has changed, for nobody's request is taken. */
function noneIsTaken(duration: Duration): string {
  const within = [hour, 10 * minute].map((seconds) => {
    const range = `[${duration(seconds)}]`;
    const refused = byModel(ended(...unclearFailures)(range));
    return `(${refused} > ${failuresMin} unless ${byModel(ended("completed")(range))} > 0)`;
  });
  return within.join(" or ");
}

/** Tasks of a model fail for no fault of their callers, or are accepted and do not end. */
export function modelFails(duration: Duration): string {
  const counts = {
    bad: ended(...serviceFailures),
    all: ended("completed", ...serviceFailures),
  };
  const fail = burnsTooFast(tasksObjective, "model", counts, duration);
  const range = `[${duration(30 * minute)}]`;
  const accepted = select(tasksAccepted, live, `${range} offset ${duration(30 * minute)}`);
  // Since the first of them was accepted: those that ended at once have ended too.
  const finished = select(tasksFinished, live, `[${duration(hour)}]`);
  const noneEnds = `${byModel(accepted)} > ${failuresMin} unless ${byModel(finished)} > 0 unless on () ${partIsReported()}`;
  return `${fail} or ${noneIsTaken(duration)} or (${noneEnds})`;
}

/** Most tasks of a model are blocked or refused: what one caller sends, or a vendor that has become stricter. */
export function modelBlocks(duration: Duration): string {
  const share = (seconds: number) => {
    const range = `[${duration(seconds)}]`;
    return {
      blocked: byModel(ended(...contentFailures, ...unclearFailures)(range)),
      all: byModel(select(tasksFinished, live, range)),
    };
  };
  const [long, short] = [share(hour), share(10 * minute)];
  return `${long.blocked} / ${long.all} > 0.5 and ${short.blocked} / ${short.all} > 0.5 and ${long.blocked} > 20 unless (${noneIsTaken(duration)})`;
}

/**
 * Returns the expression of a 5xx from a route that creates tasks. Refused requests are left out,
 * so that nobody dilutes it.
 */
export function createsFail(duration: Duration): string {
  const failed = ["500", "502", "503", "504"];
  const of = (status: readonly string[]) => (range: string) =>
    select(requests, { ...creates, status: { in: status } }, range);
  const fail = burnsTooFast(
    createsObjective,
    "route",
    { bad: of(failed), all: of(["200", ...failed]) },
    duration,
  );
  return `(${fail}) unless on () ${createsAreReported(`[${duration(30 * minute)}]`)}`;
}

/** The 99th percentile of the routes that create tasks is above a second. */
export function createsSlow(duration: Duration): string {
  const range = `[${duration(10 * minute)}]`;
  const increase = (series: string) => `sum by (route) (increase(${series}))`;
  const all = increase(selectCount(requestSeconds, creates, range));
  const quick = increase(selectBuckets(requestSeconds, { ...creates, le: createSeconds }, range));
  return `(${all} - ${quick}) / ${all} > 0.01 and ${all} - ${quick} > ${failuresMin} unless on () ${createsAreReported(range)}`;
}

/** The median time of a model is three times that of the day before, and long enough to be noticed. */
export function resultsSlow(duration: Duration): string {
  const window = duration(30 * minute);
  const median = (range: string) =>
    `histogram_quantile(0.5, sum by (model, le) (rate(${selectBuckets(taskFinishSeconds, live, range)})))`;
  const now = median(`[${window}]`);
  const count = selectCount(taskFinishSeconds, live, `[${window}]`);
  return `${now} > 3 * ${median(`[${duration(day)}] offset ${window}`)} and ${now} > 30 and ${byModel(count)} > 10 unless on () ${partIsReported(`[${window}]`)}`;
}
