import { measureQueue } from "../assets/review/queue.ts";
import { countParked } from "../db/stuck-rows.ts";
import { readPartitions } from "../engine/canary/queries.ts";
import type { GenerationContext } from "../generation/context.ts";
import type { AccountId } from "../ids.ts";
import { walkBalances } from "../ledger-checks/walk-balances.ts";
import { closedReasons, segmentStates, taskAges } from "../metrics/metric-table.ts";
import { listHeldBack } from "../routing/pace-queries.ts";
import { listBudgetsSpent } from "../routing/queries.ts";
import { countOpenByAge, readLateTasks } from "../tasks/measure-tasks.ts";
import { countSegments } from "../upscale/segments/count-segments.ts";
import { countOpenDeliveries } from "../webhooks/measure-deliveries.ts";

export const measureEveryMs = 15_000;
export const walkEveryMs = 10_000;
/** The maximum age of a value. Older values are not shown: an unreachable database leaves a gap, not a line. */
const freshMs = 2 * 60_000;

/** The measures that only the database knows, taken by loops and shown to scrapes. */
interface Measures {
  measure(): Promise<void>;
  /** One batch of the walk over all accounts. */
  walk(): Promise<void>;
}

export function createMeasures(ctx: GenerationContext): Measures {
  const { metrics, vendors } = ctx;
  const seen = createFresh(() => measureAll(ctx));
  metrics.openTasks.observe(() =>
    seen.show(({ tasks }) => taskAges.map((age) => [tasks.get(age) ?? 0, { age }])),
  );
  metrics.openTaskOldestSeconds.observe(() => seen.show(({ late }) => [[late.oldestSeconds, {}]]));
  metrics.openTasksOverdue.observe(() => seen.show(({ late }) => [[late.overdue, {}]]));
  metrics.rowsParked.observe(() => seen.show(({ parked }) => [[parked, {}]]));
  metrics.reviewsWaiting.observe(() => seen.show(({ reviews }) => [[reviews.waiting, {}]]));
  metrics.reviewOldestSeconds.observe(() =>
    seen.show(({ reviews }) => [[reviews.oldestSeconds, {}]]),
  );
  metrics.enginePartitionSilentSeconds.observe(() =>
    seen.show(({ partitions }) =>
      partitions.map(({ partition, silentSeconds }) => [
        silentSeconds,
        { partition: String(partition) },
      ]),
    ),
  );
  metrics.segments.observe(() =>
    seen.show(({ segments }) =>
      segmentStates.map((state) => [segments.get(state) ?? 0, { state }]),
    ),
  );
  metrics.openDeliveries.observe(() => seen.show(({ deliveries }) => [[deliveries.open, {}]]));
  metrics.failingDeliveryAccounts.observe(() =>
    seen.show(({ deliveries }) => [[deliveries.failingAccounts, {}]]),
  );
  const byVendor = (held: ReadonlySet<string>) =>
    [...vendors.keys()].map((name) => [held.has(name) ? 1 : 0, { vendor_account: name }] as const);
  metrics.vendorThrottled.observe(() =>
    seen.show(({ vendors: { throttled } }) => byVendor(throttled)),
  );
  metrics.vendorBreakerOpen.observe(() =>
    seen.show(({ vendors: { skipped } }) => byVendor(skipped)),
  );
  metrics.vendorAccountClosed.observe(() =>
    seen.show(({ spent }) => closedVendorAccounts(ctx, spent)),
  );
  return { measure: seen.refresh, walk: createWalk(ctx) };
}

/** For each account and reason whether it is closed. */
function closedVendorAccounts(
  { vendors, unusableVendors }: GenerationContext,
  spent: ReadonlySet<string>,
) {
  const unusable = unusableVendors();
  const names = [...vendors.values()].filter(({ state }) => state !== "removed");
  const paused = names.filter(({ state }) => state === "paused").map(({ name }) => name);
  const closed = { paused: new Set(paused), budget: spent, unusable: new Set(unusable) };
  return [...new Set([...names.map(({ name }) => name), ...unusable])].flatMap((name) =>
    closedReasons.map(
      (reason) => [closed[reason].has(name) ? 1 : 0, { vendor_account: name, reason }] as const,
    ),
  );
}

/** One after the other: a measurement takes one connection. */
async function measureAll({ db, config }: GenerationContext) {
  return {
    partitions: await readPartitions(db, config.engine.partitions),
    tasks: await countOpenByAge(db),
    late: await readLateTasks(db),
    parked: await countParked(db),
    reviews: await measureQueue(db),
    segments: await countSegments(db),
    deliveries: await countOpenDeliveries(db),
    vendors: await listHeldBack(db),
    spent: await listBudgetsSpent(db),
  };
}

function createFresh<Value>(read: () => Promise<Value>) {
  let last: { value: Value; at: number } | undefined;
  return {
    async refresh() {
      last = { value: await read(), at: performance.now() };
    },
    show<Row>(rows: (value: Value) => readonly Row[]): readonly Row[] {
      return last === undefined || performance.now() - last.at > freshMs ? [] : rows(last.value);
    },
  };
}

/**
 * Walks over all accounts, a batch at a time. The totals are those of the last complete walk; a breach
 * is shown as soon as it is found, and until a whole walk finds none.
 */
function createWalk({ db, metrics }: GenerationContext): () => Promise<void> {
  const none = { breaches: 0, storedBytes: 0 };
  let complete: typeof none | undefined;
  let current = none;
  let after: AccountId | null = null;
  metrics.ledgerBreaches.observe(() =>
    complete === undefined ? [] : [[Math.max(complete.breaches, current.breaches), {}]],
  );
  metrics.storedBytes.observe(() => (complete === undefined ? [] : [[complete.storedBytes, {}]]));
  return async () => {
    const batch = await walkBalances(db, after);
    current = {
      breaches: current.breaches + batch.breaches,
      storedBytes: current.storedBytes + batch.storedBytes,
    };
    after = batch.last;
    if (after !== null) return;
    complete = current;
    current = none;
  };
}
