import { availableParallelism } from "node:os";
import type { ApiContext } from "./api/context.ts";
import type { AssetsContext } from "./assets/context.ts";
import {
  type AutomaticReviewer,
  createAutomaticReviewer,
} from "./assets/review/automatic-reviewer.ts";
import { createManualReviewer } from "./assets/review/manual-reviewer.ts";
import { createVendorReviewer } from "./assets/review/vendor-reviewer.ts";
import { type Connections, openConnections } from "./db/connections.ts";
import { type Db, type FirstShardDb, openDatabase } from "./db/database.ts";
import type { Database } from "./db/schema.ts";
import { createWaker, type WakeOutcome } from "./engine/waker.ts";
import { createSemaphore } from "./flow/semaphore.ts";
import { createSignal } from "./flow/signal.ts";
import { createUnfinished } from "./flow/unfinished.ts";
import { viewGenerationTask } from "./generation/task-view.ts";
import { createAnnouncer } from "./live/announce-changes.ts";
import { createLog, type Log } from "./log.ts";
import { openMailTransport } from "./mail/transport.ts";
import { createPaces } from "./media/fetch/pace.ts";
import { createSafeFetch } from "./media/fetch/safe-fetch.ts";
import { countOperations } from "./media/storage/count-operations.ts";
import { createFence } from "./media/storage/fence.ts";
import { openStorage } from "./media/storage/open-storage.ts";
import type { Storage } from "./media/storage/storage.ts";
import { createMetrics, type OpenMetrics } from "./metrics/create-metrics.ts";
import { observeProcess } from "./metrics/observe-process.ts";
import { createSilentMetrics } from "./metrics/silent-metrics.ts";
import { models } from "./models/catalogue.ts";
import { createGuessLimit } from "./people/limit-guesses.ts";
import { createProvider } from "./people/oidc/provider.ts";
import { createPasswords } from "./people/passwords.ts";
import { createCostBooks } from "./prices/cost-books.ts";
import { createPriceBooks } from "./prices/price-books.ts";
import { readVendorSettings, type VendorSettings } from "./routing/read-settings.ts";
import { createVendorAccounts, type VendorAccounts } from "./routing/watch-vendor-accounts.ts";
import { type Config, configOfShard } from "./settings/config.ts";
import { labelPolicies } from "./settings/label-policies.ts";
import { readVersion } from "./settings/version.ts";
import { createSwitches } from "./switches/watch-switches.ts";
import type { TaskView } from "./tasks/task-row.ts";
import { viewUpscaleTask } from "./upscale/upscale-view.ts";
import { createFfmpegUpscaler } from "./upscale/upscalers/ffmpeg-upscaler.ts";
import { createVendorUpscaler } from "./upscale/upscalers/vendor-upscaler.ts";
import { createArkAssets } from "./vendors/ark-assets/ark-assets.ts";
import { createCancels } from "./vendors/cancels.ts";
import { createFal } from "./vendors/fal/fal.ts";
import type { WorkerContext } from "./worker/context.ts";
import { workDirOf } from "./worker/work-dir.ts";

/** Mostly waiting for callers' hosts: a permit costs a connection and a file in `workDir`. */
const fetchPermits = { permitsMax: 32, permitsPerOwnerMax: 4 };
/** The download rate of one account, which leaves network, disk and processor to others. */
const fetchPace = { burstBytes: 64 * 1024 * 1024, bytesPerSecondMax: 16 * 1024 * 1024 };
const directSubmitsMax = 32;

export interface OpenContext extends ApiContext, WorkerContext {
  /** Every metric of this process, as OpenMetrics text. */
  renderMetrics(): Promise<string>;
  vendorAccounts: VendorAccounts;
  close(): Promise<void>;
}

/** The context of the first shard, whose database is the directory as well. */
export interface FirstShardContext extends OpenContext {
  pool: Connections<Database>;
  db: FirstShardDb;
}

/** Everything that api and worker need from outside, opened and closed in one place. */
export function openContext(config: Config, role: string): FirstShardContext {
  const vendorSettings = readVendorSettings(config);
  const log = openLog(config, role);
  const { url, connectionsMax, sessionUrl } = config.database;
  const pool = openConnections(url, connectionsMax, `zoetrope ${role}`, sessionUrl !== null);
  const db = openDatabase(pool);
  const { keyRing } = config.secrets;
  const vendorAccountContext = { db, log, keyRing, shards: config.database.shards.length };
  const vendorAccounts = createVendorAccounts(vendorAccountContext, vendorSettings.accounts);
  const switches = createSwitches({ db, log });
  const prices = createPriceBooks({ db, log });
  const costs = createCostBooks({ db, log });
  const { allowLoopback, proxyUrl } = config.fetch;
  const safeFetch = createSafeFetch({ allowLoopback }, proxyUrl);
  const { metrics, render: renderMetrics, close: closeMetrics } = openMetrics(config, pool);
  const storage = countOperations(openStorage(config, role !== "api"), metrics);
  const fence = createFence({ pool, storage, log, shard: config.database.shard });
  const countWake = (outcome: WakeOutcome) => metrics.wakeUps.add({ outcome });
  const waker = createWaker(config.engine.ingressUrls, log, countWake);
  const changes = createAnnouncer(pool, log);
  const workDir = workDirOf(config.worker.dir);
  const mailTransport = openMailTransport(config);
  const automatic = openAutomaticReviewer(config, storage, workDir, log);
  return {
    config,
    log,
    metrics,
    renderMetrics,
    pool,
    db,
    directory: { pool, db, shard: db },
    otherShards: [],
    storage,
    fence,
    safeFetch,
    waker,
    changes,
    workDir,
    keyRing,
    ...openSemaphores(config),
    passwords: createPasswords(),
    guesses: createGuessLimit(),
    mailTransport,
    oidc: createProvider(config, log),
    unfinished: createUnfinished(),
    cancels: createCancels(log),
    reviewers: {
      manual: createManualReviewer(db),
      ...openVendorReviewer(config, vendorSettings.arkAssets, db, log),
      automatic: automatic ?? undefined,
    },
    deliverySignal: createSignal(),
    ...openUpscalers(config, vendorSettings.upscaler, {
      storage,
      workDir,
      safeFetch,
      log,
      metrics,
    }),
    segmentSignal: createSignal(),
    vendorAccounts,
    vendors: vendorAccounts.byName,
    refreshVendors: vendorAccounts.refresh,
    unusableVendors: vendorAccounts.unusable,
    viewTask,
    models,
    switches,
    prices,
    costs,
    async close() {
      await vendorAccounts.close();
      await switches.close();
      await prices.close();
      await costs.close();
      await waker.close();
      await changes.close();
      await safeFetch.close();
      mailTransport?.close();
      await automatic?.close();
      await storage.close();
      await closeMetrics();
      await db.destroy();
    },
  };
}

function openUpscalers(
  { upscale, links }: Config,
  vendor: VendorSettings["upscaler"],
  ctx: Pick<WorkerContext, "storage" | "workDir" | "safeFetch" | "log" | "metrics">,
) {
  const { storage, workDir, safeFetch, log, metrics } = ctx;
  const { segmentMegapixels } = upscale;
  return {
    upscaler: createFfmpegUpscaler({ storage, workDir, settings: upscale, segmentMegapixels }),
    vendorUpscaler:
      vendor === null
        ? null
        : createVendorUpscaler({ fal: createFal(vendor), signer: links, safeFetch, log, metrics }),
  };
}

function openMetrics({ ops }: Config, pool: Connections): OpenMetrics {
  if (ops.port === null) return createSilentMetrics();
  const opened = createMetrics();
  const stopObserving = observeProcess(opened.metrics, pool);
  return {
    ...opened,
    async close() {
      stopObserving();
      await opened.close();
    },
  };
}

/** Bounded work of this process, each kind on its own. */
function openSemaphores(config: Config) {
  return {
    fetches: createSemaphore(fetchPermits),
    paces: createPaces(fetchPace),
    probes: createSemaphore({ permitsMax: 2 * availableParallelism() }),
    encodes: createSemaphore({ permitsMax: availableParallelism() }),
    collects: createSemaphore({ permitsMax: 8 * availableParallelism() }),
    programs: createSemaphore({ permitsMax: 2 * availableParallelism() }),
    directSubmits: createSemaphore({
      permitsMax: directSubmitsMax,
      bytesMax: config.worker.submitBytesMax,
    }),
  };
}

function openLog({ logLevel, warnings, labels }: Config, role: string): Log {
  const log = createLog(logLevel, role, undefined, readVersion());
  for (const { path, message } of warnings)
    log.warn({ event: "setting.warning", setting: path.join("."), message });
  if (!labelPolicies[labels.policy].implicit)
    log.warn({ event: "labels.none", reason: labels.noneReason });
  return log;
}

export function openVendorReviewer(
  config: Config,
  library: VendorSettings["arkAssets"],
  db: Db,
  log: Log,
): AssetsContext["reviewers"] {
  if (library === null) return {};
  return {
    vendor: createVendorReviewer({
      db,
      log,
      signer: config.links,
      library: createArkAssets(library),
    }),
  };
}

/**
 * Opens the automatic reviewer only where a line of reviewers names it. Its models are loaded by the first
 * asset.
 */
function openAutomaticReviewer(
  config: Config,
  storage: Storage,
  workDir: string,
  log: Log,
): AutomaticReviewer | null {
  const { image, video, audio } = config.review;
  if (![image, video, audio].flat().includes("automatic")) return null;
  return createAutomaticReviewer({ storage, workDir, log, limits: config.review });
}

/** A task of either kind as its owner sees it. */
const viewTask: TaskView = (task, config, shareDone = 0) =>
  task.kind === "upscale"
    ? viewUpscaleTask(task, config, shareDone)
    : viewGenerationTask(task, config);

type Shards = [OpenContext, ...OpenContext[]];

/**
 * Opens the shards: all of them in an API, in order; only its own in a worker. Closing the first closes
 * all.
 */
export function openShards(config: Config, role: "api" | "worker"): Shards {
  if (role === "api") return openAllShards(config);
  return [openOwnShard(openContext(configOfShard(config, 0), role), config.database.shard)];
}

export function openAllShards(config: Config): [FirstShardContext, ...OpenContext[]] {
  const first = openContext(configOfShard(config, 0), "api");
  const more = config.database.shards
    .slice(1)
    .map((_, index) => openShard(first, index + 1, "api"));
  const all = [first, ...more];
  const withOtherShards = <Shard extends OpenContext>(shard: Shard): Shard => ({
    ...shard,
    otherShards: all.filter((other) => other !== shard).map(({ pool, db }) => ({ pool, db })),
  });
  const close = () => closeInOrder([...more, first]);
  return [{ ...withOtherShards(first), close }, ...more.map(withOtherShards)];
}

function openOwnShard(first: OpenContext, shard: number): OpenContext {
  if (shard === 0) return first;
  const own = openShard(first, shard, "worker");
  return { ...own, close: () => closeInOrder([own, first]) };
}

async function closeInOrder(contexts: readonly OpenContext[]): Promise<void> {
  for (const context of contexts) await context.close();
}

/**
 * Opens a shard. It shares the resources of the process with the first one; those of a database are its
 * own.
 */
function openShard(first: OpenContext, shard: number, role: string): OpenContext {
  const config = configOfShard(first.config, shard);
  const { url, connectionsMax } = config.database;
  const { log, metrics } = first;
  const pool = openConnections(url, connectionsMax, `zoetrope ${role}`);
  const db: Db = openDatabase(pool);
  const countWake = (outcome: WakeOutcome) => metrics.wakeUps.add({ outcome });
  const waker = createWaker(config.engine.ingressUrls, log, countWake, shard);
  const changes = createAnnouncer(pool, log);
  const fence = createFence({ pool, storage: first.storage, log, shard });
  return {
    ...first,
    config,
    pool,
    db,
    waker,
    changes,
    fence,
    directory: { ...first.directory, shard: null },
    reviewers: {
      ...first.reviewers,
      manual: createManualReviewer(db),
      ...openVendorReviewer(config, readVendorSettings(config).arkAssets, db, log),
    },
    deliverySignal: createSignal(),
    segmentSignal: createSignal(),
    async close() {
      await waker.close();
      await changes.close();
      await db.destroy();
    },
  };
}
