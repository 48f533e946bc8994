import type { AccountId } from "../ids.ts";
import type { Log } from "../log.ts";
import { withinMs } from "../within-ms.ts";
import { type Db, isUnavailable } from "./database.ts";
import { countFailures, forgetFailures, reasonOf } from "./stuck-rows.ts";

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
/** So many failures without a success between: it is not the rows, and the others wait for the next turn. */
const failuresMax = 20;

/** When a row of each loop was last a success in this process, on this database. */
const succeededAt = new WeakMap<Db, Map<string, number>>();

/**
 * Works on each row by itself: one that fails or hangs is logged, counted and left alone for a while,
 * and the others are done. One that keeps failing is parked (`operator stuck list`). `until` begins no
 * more rows. Answers the rows that were a success.
 */
export async function eachRow<Row>(
  world: { db: Db; log: Log },
  rows: readonly Row[],
  how: RowLoop<Row>,
  work: (row: Row) => Promise<unknown>,
  until?: AbortSignal,
): Promise<Row[]> {
  const { keyOf, accountOf, atOnceMax, rowMsMax } = how;
  const done: Row[] = [];
  let failures = 0;
  const lanes = accountOf ? [...Map.groupBy(rows, accountOf).values()] : rows.map((row) => [row]);
  const rest = lanes.values();
  const isOver = () => until?.aborted || failures >= failuresMax;

  /** The rows of a lane, until trouble that is not the row's own: the rest would only meet the same. */
  async function workOnLane(lane: readonly Row[]): Promise<void> {
    for (const [index, row] of lane.entries()) {
      if (isOver()) return;
      try {
        await withinMs(rowMsMax, work(row));
        done.push(row);
        failures = 0;
        noteSuccess(world, how.loop);
      } catch (error) {
        failures += 1;
        const isPassing = isUnavailable(error);
        await noteFailures(world, how, isPassing ? lane.slice(index) : [row], error);
        if (isPassing) return;
      }
    }
  }

  const workOnLanes = async () => {
    for (const lane of rest) await workOnLane(lane);
  };
  await Promise.all(Array.from({ length: atOnceMax }, workOnLanes));
  await forgetFailures(world.db, how.loop, done.map(keyOf));
  return done;
}

/** Counts that rows failed. Never throws: if counting fails, the row has failed anyway. */
export async function noteFailures<Row>(
  { db, log }: { db: Db; log: Log },
  how: Pick<RowLoop<Row>, "loop" | "keyOf" | "accountOf" | "laterMsMax">,
  rows: readonly Row[],
  error: unknown,
): Promise<void> {
  const { loop, keyOf, accountOf, laterMsMax = laterMsMaxUsual } = how;
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

/** For loops that see their rows one by one. */
export function noteSuccess({ db }: { db: Db }, loop: string): void {
  const ofLoops = succeededAt.get(db) ?? new Map<string, number>();
  succeededAt.set(db, ofLoops.set(loop, performance.now()));
}
