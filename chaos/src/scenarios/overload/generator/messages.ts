import type { Spread } from "@zoetrope/testkit/percentile.ts";

/** Offers at one rate, at fixed times. */
export interface Segment {
  perSecond: number;
  seconds: number;
}

/** Orders to the generator, one at a time; each is answered with a message of the same kind. */
export type ToGenerator =
  | { kind: "start"; port: number; accounts: { accountId: string; key: string }[]; logFile: string }
  /** So many clients that each send when the last answer is there. */
  | { kind: "closed"; clients: number; seconds: number }
  /** One after the other without a pause, irrespective of answers. */
  | { kind: "open"; segments: Segment[] }
  /** Every accepted task is queried and logged as it is now. */
  | { kind: "query" };

export type FromGenerator =
  | { kind: "started" }
  /** Of an open loop, as it goes on. */
  | { kind: "segment"; number: number }
  | { kind: "closed"; acceptedPerSecond: number; answers: Answers }
  | { kind: "open"; segments: SegmentReport[] }
  | { kind: "query"; wrong: number };

/** By status and code: how often. */
export type Answers = Record<string, number>;

export interface SegmentReport {
  offered: number;
  accepted: number;
  answers: Answers;
  /** From the time at which the request was due. */
  acceptedMs: Spread;
  refusedMs: Spread;
  /** Queries of a task, beside the offers. */
  readMs: Spread;
  /** Those that were not answered with the task. */
  readsWrong: Answers;
  acceptedByAccount: number[];
  /** Second by second, by the time at which requests were due. */
  windows: Window[];
}

export interface Window {
  accepted: number;
  refused: number;
  acceptedP99Ms: number;
}
