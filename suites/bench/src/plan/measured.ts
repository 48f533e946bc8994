/**
 * The cost of one task, as it was measured with an earlier release and 256 tasks at once; the
 * tables are in docs/performance.md and docs/scaling.md. Measure on your machines and change the
 * figures here.
 */
export const measured = {
  /** Milliseconds of processor time for the life of a task without output, from createTask to the callback. */
  cpuMs: { api: 2.3, worker: 3.2, engine: 1.1, postgres: 4.7 },
  /**
   * The additional cost of storing a video: fetched, measured, stored, and its poster made.
   * Measured before the sample video had 5 s and about 4 MB, with a test pattern of about 0.2 MB
   * without audio: the worker's is too small.
   */
  videoCpuMs: { api: 1.5, worker: 85, engine: 7.5, postgres: 3.2 },
  /** Syncs of PostgreSQL's log; fewer the more tasks share a commit. */
  syncs: 0.9,
  videoSyncs: 3.4,
  walKb: 10.6,
  videoWalKb: 2.3,
  /** Bytes in PostgreSQL with indexes of what stays when the task is over, but for the log of requests. */
  rowBytes: { tasks: 1_376, ledger: 1_382, deliveries: 1_286, submissions: 281, events: 565 },
} as const;

/** The assumptions behind the sizes that were not measured here. */
export const assumed = {
  /** The busiest second compared with the mean of the day. */
  peak: 4,
  /** The load of a core at the peak, so that a failed machine does not overload the others. */
  load: 0.5,
  /** A replicated log writes everything on two of three nodes. */
  engineReplication: 2,
  /** Cores of a database server that is still easy to buy, back up and replace. */
  primaryCoresMax: 16,
  /** Syncs per second that a network disk of one cloud guarantees without extra cost. */
  syncsPerSecondMax: 3_000,
  /** Below this a single machine serves everybody, and three parts more would be three parts more to fail. */
  oneMachineCoresMax: 4,
  /**
   * The size of a video of 5 s in 720p with audio as a vendor delivers it: the sample video of the
   * benchmarks.
   */
  videoMb: 4,
  /** The share of tasks that store a video. */
  videoShare: 0.6,
  /** The age of the deployment, and how long its rows stay by default. */
  ageDays: 365,
  rowDays: { tasks: 365, ledger: 365, deliveries: 90, submissions: 90, events: 30 },
  mediaDays: 30,
  /** The connections of each process, for each shard that it opens. */
  poolSize: 10,
  /** Half of a worker's processor time is spent outside its main thread: ffmpeg, images, garbage collection. */
  coresPerWorker: 2,
} as const;

/** List prices in dollars without discount: AWS, us-east-1; the processor as of June 2026 (m7g.large). */
export const prices = {
  coreHour: 0.0408,
  diskGbMonth: 0.08,
  objectGbMonth: 0.023,
  egressGb: 0.09,
  thousandPuts: 0.005,
} as const;
