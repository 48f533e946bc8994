import type { SegmentPlan, VideoPlan } from "../../db/tables/upscale.ts";
import type { FailureCode } from "../../errors.ts";
import type { VideoFrames } from "../../media/probe/list-frames.ts";

export interface SegmentOrder {
  taskId: string;
  video: VideoPlan;
  segment: SegmentPlan;
  sourceKey: string;
  /** The vendor's, where one is at work on it. */
  vendorJobId: string | null;
  /** When it was submitted to a vendor. Without a job the response was lost: the vendor may be at work on it. */
  submittedMsAgo: number | null;
}

export type SegmentResult =
  | { kind: "done"; path: string; sizeBytes: number; sha256: string }
  /** There is nothing to do here until then: a vendor is at work on it, or cannot take it now. */
  | { kind: "waiting"; againMs: number; framesDone: number }
  /** For good. `reason` is for operators, `code` for the task's owner. */
  | { kind: "failed"; code: FailureCode; reason: string };

export interface SegmentRun {
  /** A folder for this segment alone. */
  dir: string;
  signal: AbortSignal;
  onFrames(framesDone: number): void;
  /** Records the intent before a vendor is called. False: it was called already. */
  claimSubmit(): Promise<boolean>;
  /** The vendor's job, or null when it is proven not to have one. False: nobody wants it any more. */
  recordSubmit(vendorJobId: string | null): Promise<boolean>;
}

/**
 * Who makes videos larger: this service with ffmpeg, or a vendor. A segment is done at least once and
 * may be begun by a second worker while the first is still at it, so nothing counts but its file.
 */
export interface Upscaler {
  /** How the work is cut: what can be done on its own, and is not done again. */
  cut(video: VideoPlan, frames: VideoFrames["frames"]): SegmentPlan[];
  /** Does a segment, or goes on with it. What can pass throws, and is tried again. */
  work(order: SegmentOrder, run: SegmentRun): Promise<SegmentResult>;
}

export interface VendorUpscaler extends Upscaler {
  /** Ends a job that nobody waits for any more, where the vendor still can. Best effort. */
  forget(vendorJobId: string): Promise<void>;
}
