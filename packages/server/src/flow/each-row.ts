import { isUnavailable, type SharedDb } from "../db/database.ts";
import { countFailures, forgetFailures, reasonOf } from "../db/stuck-rows.ts";
import type { AccountId } from "../ids.ts";
import type { Log } from "../log.ts";
import { withinMs } from "./within-ms.ts";

export interface RowLoop<Row> {
  /** Under this name an operator finds the rows that fail; `isNotStuck` leaves them out. */
  loop: string;
  keyOf(row: Row): string;
  /** Rows of one account are worked on one after the other, different accounts at once. */
  accountOf?(row: Row): AccountId;
  atOnceMax: number;
  /** A row that takes longer has failed. */
  rowMsMax: number;
  /** The longest wait until a row that failed is tried again. */
  laterMsMax?: number;
}

const laterMsMaxUsual = 10 * 60_000;
/**
 * The number of failures without a success between after which the rows are not at fault: the others wait
 * for the next round.
 */
const failuresMax = 20;

/** The time of the last success of each loop in this process, on this database. */
const succeededAt = new WeakMap<SharedDb, Map<string, number>>();

/**
 * Processes rows independently. A failing or hanging row is logged, counted and retried with backoff, and
 * does not block the others. One that keeps failing is parked (`zoetrope admin stuck list`). After `until`
 * no more rows begin. Returns the rows that succeeded.
 */
export async function eachRow<Row>(
  ctx: { db: SharedDb; log: Log },
  rows: readonly Row[],
  options: RowLoop<Row>,
  work: (row: Row) => Promise<unknown>,
  until?: AbortSignal,
): Promise<Row[]> {
  const { keyOf, accountOf, atOnceMax, rowMsMax } = options;
  const done: Row[] = [];
  let failures = 0;
  const lanes = accountOf ? [...Map.groupBy(rows, accountOf).values()] : rows.map((row) => [row]);
  const rest = lanes.values();
  const isOver = () => until?.aborted || failures >= failuresMax;

  /**
   * Processes the rows of a lane, until a failure that is not the row's own, which would repeat for the
   * rest.
   */
  async function workOnLane(lane: readonly Row[]): Promise<void> {
    for (const [index, row] of lane.entries()) {
      if (isOver()) return;
      try {
        await withinMs(rowMsMax, work(row));
        done.push(row);
        failures = 0;
        noteSuccess(ctx, options.loop);
      } catch (error) {
        failures += 1;
        const isPassing = isUnavailable(error);
        await noteFailures(ctx, options, isPassing ? lane.slice(index) : [row], error);
        if (isPassing) return;
      }
    }
  }

  const workOnLanes = async () => {
    for (const lane of rest) await workOnLane(lane);
  };
  await Promise.all(Array.from({ length: atOnceMax }, workOnLanes));
  await forgetFailures(ctx.db, options.loop, done.map(keyOf));
  return done;
}

/** Counts that rows failed. Never throws: if counting fails, the row has failed anyway. */
export async function noteFailures<Row>(
  { db, log }: { db: SharedDb; log: Log },
  options: Pick<RowLoop<Row>, "loop" | "keyOf" | "accountOf" | "laterMsMax">,
  rows: readonly Row[],
  error: unknown,
): Promise<void> {
  const { loop, keyOf, accountOf, laterMsMax = laterMsMaxUsual } = options;
  const failed = rows.map((row) => ({ key: keyOf(row), accountId: accountOf?.(row) ?? null }));
  const lastAt = succeededAt.get(db)?.get(loop);
  const succeededMsAgo = lastAt === undefined ? null : performance.now() - lastAt;
  const line = { loop, key: failed[0]?.key, rows: failed.length, reason: reasonOf(error) };
  log.error({ event: "row.failed", ...line });
  try {
    const parked = await countFailures(db, loop, failed, { error, laterMsMax, succeededMsAgo });
    for (const key of parked) log.error({ event: "row.parked", ...line, key });
  } catch (fault) {
    log.error({ event: "row.failure_unrecorded", ...line, fault: reasonOf(fault) });
  }
}

/** Notes a success, for loops that see their rows one by one. */
export function noteSuccess({ db }: { db: SharedDb }, loop: string): void {
  const ofLoops = succeededAt.get(db) ?? new Map<string, number>();
  succeededAt.set(db, ofLoops.set(loop, performance.now()));
}
