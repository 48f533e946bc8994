import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiContext } from "./api/context.ts";
import type { AssetsContext } from "./assets/context.ts";
import {
  type AutomaticReviewer,
  createAutomaticReviewer,
} from "./assets/review/automatic-reviewer.ts";
import { createVendorReviewer } from "./assets/review/vendor-reviewer.ts";
import type { Config } from "./config.ts";
import { createAnnouncer } from "./db/announcer.ts";
import { type Db, openDatabase, openPool } from "./db/database.ts";
import { createWaker } from "./engine/waker.ts";
import { viewGenerationTask } from "./generation/task-view.ts";
import { createLog, type Log } from "./log.ts";
import { createPaces } from "./media/fetch/pace.ts";
import { createSafeFetch, type SafeFetch } from "./media/fetch/safe-fetch.ts";
import { openDiskStorage } from "./media/storage/disk-storage.ts";
import { openS3Storage } from "./media/storage/s3-storage.ts";
import type { Storage } from "./media/storage/storage.ts";
import { createSemaphore } from "./semaphore.ts";
import { createSignal } from "./signal.ts";
import type { TaskView } from "./tasks/task-row.ts";
import { createUnfinished } from "./unfinished.ts";
import { viewUpscaleTask } from "./upscale/upscale-view.ts";
import { createFfmpegUpscaler } from "./upscale/upscalers/ffmpeg-upscaler.ts";
import type { VendorUpscaler } from "./upscale/upscalers/upscaler.ts";
import { createVendorUpscaler } from "./upscale/upscalers/vendor-upscaler.ts";
import { openVendorAccounts } from "./vendors/accounts.ts";
import { createArkAssets } from "./vendors/ark-assets/ark-assets.ts";
import { createBreaker } from "./vendors/breaker.ts";
import { createCancels } from "./vendors/cancels.ts";
import { createFal } from "./vendors/fal/fal.ts";
import { workDirOf } from "./work-dir.ts";
import type { WorkerContext } from "./worker/context.ts";

/** Mostly waiting for strangers' hosts: a place costs a connection and a file in `workDir`. */
const fetchPlaces = { placesMax: 32, placesPerAccountMax: 4 };
/** Of one account: it leaves network, disk and processor to others. */
const fetchPace = { burstBytes: 64 * 1024 * 1024, bytesPerSecondMax: 16 * 1024 * 1024 };
const directSubmitsMax = 32;

export interface OpenContext extends ApiContext, WorkerContext {
  close(): Promise<void>;
}

/** Everything that api and worker need from outside, opened and closed in one place. */
export function openContext(config: Config, role: string): OpenContext {
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

function openReviewers(config: Config, db: Db, log: Log): AssetsContext["reviewers"] {
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

/** A task of either kind as its owner sees it. */
const viewTask: TaskView = (task, config, shareDone = 0) =>
  task.kind === "upscale"
    ? viewUpscaleTask(task, config, shareDone)
    : viewGenerationTask(task, config);
