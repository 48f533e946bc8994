import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import {
  type AutomaticReviewer,
  createAutomaticReviewer,
} from "./assets/review/automatic-reviewer.ts";
import type { Reviewer, ReviewerName } from "./assets/review/reviewer.ts";
import { createVendorReviewer } from "./assets/review/vendor-reviewer.ts";
import type { Config } from "./config.ts";
import { type Db, openDatabase, openPool } from "./db/database.ts";
import { createWaker, type Waker } from "./engine/waker.ts";
import { type Announcer, createAnnouncer } from "./live/announcer.ts";
import { createLog, type Log } from "./log.ts";
import { createPaces, type Paces } from "./media/fetch/pace.ts";
import { createSafeFetch, type SafeFetch } from "./media/fetch/safe-fetch.ts";
import { openDiskStorage } from "./media/storage/disk-storage.ts";
import { openS3Storage } from "./media/storage/s3-storage.ts";
import type { Storage } from "./media/storage/storage.ts";
import { createSemaphore, type Semaphore } from "./semaphore.ts";
import { createSignal, type Signal } from "./signal.ts";
import type { TaskView } from "./tasks/task-row.ts";
import { createUnfinished, type Unfinished } from "./unfinished.ts";
import { createFfmpegUpscaler } from "./upscale/upscalers/ffmpeg-upscaler.ts";
import type { Upscaler, VendorUpscaler } from "./upscale/upscalers/upscaler.ts";
import { createVendorUpscaler } from "./upscale/upscalers/vendor-upscaler.ts";
import { openVendorAccounts, type VendorAccount } from "./vendors/accounts.ts";
import { createArkAssets } from "./vendors/ark-assets/ark-assets.ts";
import { type Breaker, createBreaker } from "./vendors/breaker.ts";
import { type Cancels, createCancels } from "./vendors/cancels.ts";
import { createFal } from "./vendors/fal/fal.ts";
import { workDirOf } from "./work-dir.ts";

/** Mostly waiting for strangers' hosts: a place costs a connection and a file in `workDir`. */
const fetchPlaces = { placesMax: 32, placesPerAccountMax: 4 };
/** Of one account: it leaves network, disk and processor to others. */
const fetchPace = { burstBytes: 64 * 1024 * 1024, bytesPerSecondMax: 16 * 1024 * 1024 };
const directSubmitsMax = 32;

/** What the use cases need from the world, opened and closed in one place. */
export interface Context {
  config: Config;
  log: Log;
  /** The same connections twice: for functions of the database, and for typed queries. */
  pool: Pool;
  db: Db;
  storage: Storage;
  safeFetch: SafeFetch;
  waker: Waker;
  /** Told of every task that looks different now, after the commit. */
  changes: Announcer;
  /** This process's own folder for files in the making. */
  workDir: string;
  // Bounds in this process, one for each kind of work, so that none of them waits for another.
  /** Files at addresses that callers name: assets, inputs and sources. */
  fetches: Semaphore;
  /** How fast they come. */
  paces: Paces;
  /** Measuring such files, which costs a processor. */
  probes: Semaphore;
  /** Making images fit for a vendor: a processor each. */
  encodes: Semaphore;
  /** Results that are paid for: fetched or joined, measured and stored. */
  collects: Semaphore;
  /** Submits to vendors that answer with the result: each holds files in memory. */
  directSubmits: Semaphore;
  /** What this process must bring to an end before it stops. */
  unfinished: Unfinished;
  breaker: Breaker;
  /** Ends vendors' jobs that nobody waits for, in the background. */
  cancels: Cancels;
  /** Those that this deployment has; a missing one is waited for, like a person. */
  reviewers: Partial<Record<ReviewerName, Reviewer>>;
  /** Rung when a delivery has become due. */
  deliverySignal: Signal;
  /** This service's own. */
  upscaler: Upscaler;
  /** The one that this deployment has videos made larger by, if any. */
  vendorUpscaler: VendorUpscaler | null;
  /** Rung when there may be a segment to work on, and room for it. */
  segmentSignal: Signal;
  /** By name, in the order in which they are asked. */
  vendors: ReadonlyMap<string, VendorAccount>;
  /** Renders a task for its owner: the answer to a query and the body of a callback. */
  viewTask: TaskView;
  close(): Promise<void>;
}

export function openContext(config: Config, role: string, viewTask: TaskView): Context {
  const log = createLog(config.LOG_LEVEL, role);
  const pool = openPool(config.DATABASE_URL, config.DATABASE_CONNECTIONS_MAX, `zoetrope ${role}`);
  const db = openDatabase(pool);
  const storage = openStorage(config);
  const policy = { allowLoopback: config.ALLOW_LOOPBACK };
  const safeFetch = createSafeFetch(policy, config.EGRESS_PROXY_URL);
  const waker = createWaker(config.RESTATE_INGRESS_URL, log);
  const changes = createAnnouncer(pool, log);
  const workDir = workDirOf(config.WORK_DIR ?? join(tmpdir(), "zoetrope"));
  const automatic = openAutomaticReviewer(config, storage, workDir, log);
  return {
    config,
    log,
    pool,
    db,
    storage,
    safeFetch,
    waker,
    changes,
    workDir,
    fetches: createSemaphore(fetchPlaces),
    paces: createPaces(fetchPace),
    probes: createSemaphore({ placesMax: 2 * availableParallelism() }),
    encodes: createSemaphore({ placesMax: availableParallelism() }),
    collects: createSemaphore({ placesMax: 2 * availableParallelism() }),
    directSubmits: createSemaphore({
      placesMax: directSubmitsMax,
      bytesMax: config.SUBMIT_MEMORY_MB * 1024 * 1024,
    }),
    unfinished: createUnfinished(),
    breaker: createBreaker(config.SICK_VENDOR_MS),
    cancels: createCancels(log),
    reviewers: {
      ...openReviewers(config, db, log),
      ...(automatic === null ? {} : { automatic }),
    },
    deliverySignal: createSignal(),
    upscaler: createFfmpegUpscaler({
      storage,
      workDir,
      settings: {
        preset: config.UPSCALE_PRESET,
        crf: config.UPSCALE_CRF,
        sharpness: config.UPSCALE_SHARPNESS,
      },
      segmentMegapixels: config.UPSCALE_SEGMENT_MEGAPIXELS,
    }),
    vendorUpscaler: openVendorUpscaler(config, safeFetch, log),
    segmentSignal: createSignal(),
    vendors: openVendorAccounts(config.VENDORS),
    viewTask,
    async close() {
      await waker.close();
      await changes.close();
      await safeFetch.close();
      await automatic?.close();
      await storage.close();
      await db.destroy();
    },
  };
}

function openReviewers(config: Config, db: Db, log: Log): Context["reviewers"] {
  const { ARK_ASSETS: settings } = config;
  if (settings === undefined) return {};
  return {
    vendor: createVendorReviewer({ db, log, signer: config, library: createArkAssets(settings) }),
  };
}

/** Only where a line of reviewers names it. Its models are loaded by the first asset. */
function openAutomaticReviewer(
  config: Config,
  storage: Storage,
  workDir: string,
  log: Log,
): AutomaticReviewer | null {
  const lines = [config.REVIEW_IMAGE, config.REVIEW_VIDEO, config.REVIEW_AUDIO];
  if (!lines.flat().includes("automatic")) return null;
  return createAutomaticReviewer({ storage, workDir, log, limits: config });
}

function openVendorUpscaler(config: Config, safeFetch: SafeFetch, log: Log): VendorUpscaler | null {
  const { UPSCALER: settings } = config;
  if (settings === undefined) return null;
  return createVendorUpscaler({ fal: createFal(settings), signer: config, safeFetch, log });
}

function openStorage(config: Config): Storage {
  const { STORAGE_DIR: root, PUBLIC_URL: publicUrl, VENDOR_CALLBACK_SECRET: secret } = config;
  if (root !== undefined) return openDiskStorage({ root, publicUrl, secret });
  return openS3Storage({
    endpoint: config.S3_ENDPOINT ?? "",
    bucket: config.S3_BUCKET ?? "",
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: config.S3_SECRET_ACCESS_KEY ?? "",
  });
}
