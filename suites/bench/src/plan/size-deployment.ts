import { assumed, measured, prices } from "./measured.ts";

const secondsPerDay = 86_400;
const daysPerMonth = 30;
const hoursPerMonth = 730;

export interface Demand {
  tasksPerDay: number;
  /** The share of tasks that store a video. */
  videoShare: number;
  videoMb: number;
}

export interface Deployment {
  peakPerSecond: number;
  /** The cores needed at the peak, with room for a failed machine. */
  cores: { api: number; worker: number; engine: number; postgres: number };
  isOneMachine: boolean;
  processes: { api: number; worker: number };
  engineNodes: number;
  shards: number;
  /** The resource that requires so many shards. */
  shardedFor: "processor" | "syncs";
  syncsPerSecond: number;
  walMbPerSecond: number;
  /** Without a pooler. */
  connections: number;
  diskGb: number;
  mediaGb: number;
  egressGbPerMonth: number;
  /** Dollars per month. */
  costs: { processors: number; disk: number; media: number; egress: number };
  dollarsPerTask: number;
}

/** The deployment that carries a demand at its peak, from what one task was measured to cost. */
export function sizeDeployment({ tasksPerDay, videoShare, videoMb }: Demand): Deployment {
  const peakPerSecond = (tasksPerDay / secondsPerDay) * assumed.peak;
  const coresOf = (part: keyof typeof measured.cpuMs) =>
    (peakPerSecond * (measured.cpuMs[part] + videoShare * measured.videoCpuMs[part])) /
    1_000 /
    assumed.load;
  const cores = {
    api: coresOf("api"),
    worker: coresOf("worker"),
    engine: coresOf("engine") * assumed.engineReplication,
    postgres: coresOf("postgres"),
  };
  const isOneMachine =
    Object.values(cores).reduce((sum, each) => sum + each, 0) <= assumed.oneMachineCoresMax;
  const least = isOneMachine ? 1 : 2; // one may be away
  const processes = {
    api: Math.max(least, Math.ceil(cores.api)),
    worker: Math.max(least, Math.ceil(cores.worker / assumed.coresPerWorker)),
  };
  const syncsPerSecond = peakPerSecond * (measured.syncs + videoShare * measured.videoSyncs);
  const walKb = measured.walKb + videoShare * measured.videoWalKb;
  const byProcessor = Math.ceil(cores.postgres / assumed.primaryCoresMax);
  const bySyncs = Math.ceil(syncsPerSecond / assumed.syncsPerSecondMax);
  const videosPerDay = tasksPerDay * videoShare;
  const shards = Math.max(1, byProcessor, bySyncs);
  const diskGb = (tasksPerDay * bytesOfOneADay()) / 1e9;
  const mediaGb = (videosPerDay * assumed.mediaDays * videoMb) / 1e3;
  const egressGbPerMonth = (videosPerDay * daysPerMonth * videoMb) / 1e3;
  const standby = isOneMachine ? 1 : 2;
  const bought = isOneMachine
    ? assumed.oneMachineCoresMax
    : processes.api +
      atLeast(2, cores.worker) +
      atLeast(3, cores.engine) +
      standby * cores.postgres;
  const puts = videosPerDay * daysPerMonth * 2; // the video and its poster
  const costs = {
    processors: bought * hoursPerMonth * prices.coreHour,
    disk: standby * diskGb * prices.diskGbMonth,
    media: mediaGb * prices.objectGbMonth + (puts / 1_000) * prices.thousandPuts,
    egress: egressGbPerMonth * prices.egressGb,
  };
  const dollars = Object.values(costs).reduce((sum, each) => sum + each, 0);
  return {
    peakPerSecond,
    cores,
    isOneMachine,
    processes,
    engineNodes: isOneMachine ? 1 : 3,
    shards,
    shardedFor: bySyncs > byProcessor ? "syncs" : "processor",
    syncsPerSecond,
    walMbPerSecond: (peakPerSecond * walKb) / 1_024,
    connections: countConnections(processes, shards),
    diskGb,
    mediaGb,
    egressGbPerMonth,
    costs,
    dollarsPerTask: dollars / (tasksPerDay * daysPerMonth),
  };
}

/**
 * An api opens every shard, and listens there; a worker opens the first, where people and vendor accounts
 * are, and its own. Both have one more for their health checks.
 */
function countConnections({ api, worker }: Deployment["processes"], shards: number): number {
  const workersElsewhere = worker - Math.ceil(worker / shards);
  const pools = api * shards + worker + workersElsewhere;
  return pools * assumed.poolSize + api * shards + api + worker;
}

/** Bytes in PostgreSQL after a year with one task a day, with the default retention. */
function bytesOfOneADay(): number {
  const tables = Object.keys(measured.rowBytes) as (keyof typeof measured.rowBytes)[];
  return tables.reduce((sum, table) => sum + measured.rowBytes[table] * assumed.rowDays[table], 0);
}

const atLeast = (least: number, wanted: number) => Math.max(least, Math.ceil(wanted));
