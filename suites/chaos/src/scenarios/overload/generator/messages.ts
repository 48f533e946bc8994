import type { Spread } from "@zoetrope/testkit/percentile.ts";

/** Offers at one rate, at fixed times. */
export interface Segment {
  perSecond: number;
  seconds: number;
}

/** An order to the generator. There is one at a time; each gets a message of the same kind in return. */
export type ToGenerator =
  | { kind: "start"; port: number; accounts: { accountId: string; key: string }[]; logFile: string }
  /** A number of clients that each send when the last response is there. */
  | { kind: "closed"; clients: number; seconds: number }
  /** Segments sent one after the other without a pause, irrespective of responses. */
  | { kind: "open"; segments: Segment[] }
  /** Every accepted task is queried and logged as it is now. */
  | { kind: "query" };

export type FromGenerator =
  | { kind: "started" }
  /** A segment of an open loop, reported during the loop. */
  | { kind: "segment"; number: number }
  | { kind: "closed"; acceptedPerSecond: number; answers: Answers }
  | { kind: "open"; segments: SegmentReport[] }
  | { kind: "query"; wrong: number };

/** The number of responses, by status and code. */
export type Answers = Record<string, number>;

export interface SegmentReport {
  offered: number;
  accepted: number;
  answers: Answers;
  /** The times from when the request was due. */
  acceptedMs: Spread;
  refusedMs: Spread;
  /** Queries of a task, beside the offers. */
  readMs: Spread;
  /** The queries that did not return the task. */
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
