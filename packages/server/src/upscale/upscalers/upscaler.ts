import type { SegmentPlan, VideoPlan } from "../../db/tables/upscale.ts";
import type { FailureCode } from "../../errors.ts";
import type { TaskId } from "../../ids.ts";
import type { VideoFrames } from "../../media/probe/list-frames.ts";

export interface SegmentRequest {
  taskId: TaskId;
  video: VideoPlan;
  segment: SegmentPlan;
  sourceKey: string;
  /** The vendor's, where one is at work on it. */
  vendorJobId: string | null;
  /**
   * The time since it was submitted to a vendor. Without a job the response was lost: the vendor may be at
   * work on it.
   */
  submittedMsAgo: number | null;
}

export type SegmentResult =
  | { kind: "done"; path: string; sizeBytes: number; sha256: string }
  /** Nothing to do until then: a vendor is working on it, or cannot accept it now. */
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
  /** Records the vendor's job, or null if it is proven not to have one. False: it is no longer needed. */
  recordSubmit(vendorJobId: string | null): Promise<boolean>;
}

/**
 * Upscales videos: with ffmpeg in this service, or with a vendor. A segment is processed at least once
 * and may be started by a second worker while the first is still running, so only its stored file
 * counts.
 */
export interface Upscaler {
  /** Returns the segments into which the video is cut. */
  cut(video: VideoPlan, frames: VideoFrames["frames"]): SegmentPlan[];
  /** Upscales a segment, or continues it. Transient failures throw and are retried. */
  work(request: SegmentRequest, run: SegmentRun): Promise<SegmentResult>;
}

export interface VendorUpscaler extends Upscaler {
  /** Cancels a job that is no longer needed. Best effort. */
  forget(vendorJobId: string): Promise<void>;
}
