/**
 * What one task costs, as `npm run -s bench -- lifecycle` measured it with 256 tasks at once; the tables
 * are in docs/performance.md and docs/scaling.md. Measure on your machines and change the figures here.
 */
export const measured = {
  /** Milliseconds of processor time for the life of a task without output, from createTask to the callback. */
  cpuMs: { api: 2.3, worker: 3.2, engine: 1.1, postgres: 4.7 },
  /** What storing a video of 4 s in 720p adds: fetched, measured, stored, and its poster made. */
  videoCpuMs: { api: 1.5, worker: 85, engine: 7.5, postgres: 3.2 },
  /** Syncs of PostgreSQL's log; fewer the more tasks share a commit. */
  syncs: 0.9,
  videoSyncs: 3.4,
  walKb: 10.6,
  videoWalKb: 2.3,
  /** Bytes in PostgreSQL with indexes of what stays when the task is over, but for the log of requests. */
  rowBytes: 4_900,
} as const;

/** What the sizes rest on that was not measured here. */
export const assumed = {
  /** The busiest second compared with the mean of the day. */
  peak: 4,
  /** Of a core at the peak, so that a failed machine does not overload the others. */
  load: 0.5,
  /** A replicated log writes everything on two of three nodes. */
  engineReplication: 2,
  /** Cores of a database server that is still easy to buy, back up and replace. */
  primaryCoresMax: 16,
  /** Syncs per second that a network disk of one cloud guarantees without extra cost. */
  syncsPerSecondMax: 3_000,
  /** Below this a single machine serves everybody, and three parts more would be three parts more to fail. */
  oneMachineCoresMax: 4,
  videoMb: 5,
  /** Of tasks that store a video. */
  videoShare: 0.6,
  rowDays: 365,
  mediaDays: 30,
  poolSize: 10,
  /** Half of a worker's processor time is spent outside its main thread: ffmpeg, images, garbage collection. */
  coresPerWorker: 2,
} as const;

/** In dollars, list prices without discount: AWS, us-east-1; the processor as of June 2026 (m7g.large). */
export const prices = {
  coreHour: 0.0408,
  diskGbMonth: 0.08,
  objectGbMonth: 0.023,
  egressGb: 0.09,
  thousandPuts: 0.005,
} as const;
