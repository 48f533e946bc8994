import { availableParallelism } from "node:os";
import type { Pool } from "pg";
import type { ApiContext } from "./api/context.ts";
import type { AssetsContext } from "./assets/context.ts";
import {
  type AutomaticReviewer,
  createAutomaticReviewer,
} from "./assets/review/automatic-reviewer.ts";
import { createManualReviewer } from "./assets/review/manual-reviewer.ts";
import { createVendorReviewer } from "./assets/review/vendor-reviewer.ts";
import type { Config } from "./config.ts";
import { createAnnouncer } from "./db/announcer.ts";
import { type Db, openDatabase, openPool } from "./db/database.ts";
import { createWaker, type WakeOutcome } from "./engine/waker.ts";
import { viewGenerationTask } from "./generation/task-view.ts";
import { createLog, type Log } from "./log.ts";
import { openMailTransport } from "./mail/transport.ts";
import { createPaces } from "./media/fetch/pace.ts";
import { createSafeFetch } from "./media/fetch/safe-fetch.ts";
import { countOperations } from "./media/storage/count-operations.ts";
import { openStorage } from "./media/storage/open-storage.ts";
import type { Storage } from "./media/storage/storage.ts";
import { createMetrics, type OpenMetrics } from "./metrics/create-metrics.ts";
import { observeProcess } from "./metrics/observe-process.ts";
import { createSilentMetrics } from "./metrics/silent-metrics.ts";
import { models } from "./models/catalogue.ts";
import { createGuessLimit } from "./people/limit-guesses.ts";
import { createProvider } from "./people/oidc/provider.ts";
import { createPasswords } from "./people/passwords.ts";
import { createSemaphore } from "./semaphore.ts";
import { createSignal } from "./signal.ts";
import { createSwitches } from "./switches/watch-switches.ts";
import type { TaskView } from "./tasks/task-row.ts";
import { createUnfinished } from "./unfinished.ts";
import { viewUpscaleTask } from "./upscale/upscale-view.ts";
import { createFfmpegUpscaler } from "./upscale/upscalers/ffmpeg-upscaler.ts";
import { createVendorUpscaler } from "./upscale/upscalers/vendor-upscaler.ts";
import { createVendorAccounts, type VendorAccounts } from "./vendor-accounts/watch-accounts.ts";
import { createArkAssets } from "./vendors/ark-assets/ark-assets.ts";
import { createCancels } from "./vendors/cancels.ts";
import { createFal } from "./vendors/fal/fal.ts";
import { readVendorSettings, type VendorSettings } from "./vendors/read-settings.ts";
import { workDirOf } from "./work-dir.ts";
import type { WorkerContext } from "./worker/context.ts";

/** Mostly waiting for callers' hosts: a permit costs a connection and a file in `workDir`. */
const fetchPermits = { permitsMax: 32, permitsPerAccountMax: 4 };
/** Of one account: it leaves network, disk and processor to others. */
const fetchPace = { burstBytes: 64 * 1024 * 1024, bytesPerSecondMax: 16 * 1024 * 1024 };
const directSubmitsMax = 32;

export interface OpenContext extends ApiContext, WorkerContext {
  /** Every metric of this process, as OpenMetrics text. */
  renderMetrics(): Promise<string>;
  vendorAccounts: VendorAccounts;
  close(): Promise<void>;
}

/** Everything that api and worker need from outside, opened and closed in one place. */
export function openContext(config: Config, role: string): OpenContext {
  const vendorSettings = readVendorSettings(config);
  const log = openLog(config, role);
  const { url, connectionsMax, sessionUrl } = config.database;
  const pool = openPool(url, connectionsMax, `zoetrope ${role}`, sessionUrl !== null);
  const db = openDatabase(pool);
  const { keyRing } = config.secrets;
  const world = { db, log, keyRing, shards: config.database.shards.length };
  const vendorAccounts = createVendorAccounts(world, vendorSettings.accounts);
  const switches = createSwitches({ db, log });
  const { allowLoopback, proxyUrl } = config.fetch;
  const safeFetch = createSafeFetch({ allowLoopback }, proxyUrl);
  const { metrics, render: renderMetrics, close: closeMetrics } = openMetrics(config, pool);
  const storage = countOperations(openStorage(config), metrics);
  const countWake = (outcome: WakeOutcome) => metrics.wakeUps.add({ outcome });
  const waker = createWaker(config.engine.ingressUrls, log, countWake);
  const changes = createAnnouncer(pool, log);
  const workDir = workDirOf(config.worker.dir);
  const mailTransport = openMailTransport(config);
  const automatic = openAutomaticReviewer(config, storage, workDir, log);
  return {
    ...{ config, log, metrics, renderMetrics, pool, db, home: { pool, db }, others: [], storage },
    ...{ safeFetch, waker, changes, workDir, keyRing },
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
      ...(automatic === null ? {} : { automatic }),
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
    missesVendors: vendorAccounts.isIncomplete,
    viewTask,
    models,
    switches,
    async close() {
      await vendorAccounts.close();
      await switches.close();
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
  world: Pick<WorkerContext, "storage" | "workDir" | "safeFetch" | "log" | "metrics">,
) {
  const { storage, workDir, safeFetch, log, metrics } = world;
  const { segmentMegapixels } = upscale;
  return {
    upscaler: createFfmpegUpscaler({ storage, workDir, settings: upscale, segmentMegapixels }),
    vendorUpscaler:
      vendor === null
        ? null
        : createVendorUpscaler({ fal: createFal(vendor), signer: links, safeFetch, log, metrics }),
  };
}

function openMetrics({ ops }: Config, pool: Pool): OpenMetrics {
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

function openLog({ logLevel, warnings }: Config, role: string): Log {
  const log = createLog(logLevel, role);
  for (const { path, message } of warnings)
    log.warn({ event: "setting.warning", setting: path.join("."), message });
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

/** Only where a line of reviewers names it. Its models are loaded by the first asset. */
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
