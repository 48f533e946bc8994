import type { Generated } from "kysely";
import type { FailureCode } from "../../errors.ts";
import type { AccountId, LabelAgreementId, TaskId } from "../../ids.ts";
import type { Json } from "../json.ts";

/** The facts about a video to be upscaled, and about its result. */
export interface VideoPlan {
  contentType: string;
  target: "1080p" | "2k" | "4k";
  source: { width: number; height: number; durationMs: number };
  /** The upscaler. A vendor's result may have other sides, and other times of its frames. */
  by: "us" | "vendor";
  /** The width of the result. */
  width: number;
  height: number;
  /** A fraction of a second, which the times below are counted in. */
  tick: { over: number; under: number };
  /** The times at which the first frame is shown and the last one ends. */
  firstAt: number;
  endsAt: number;
  /** The start of the whole video: its audio may begin before the video. */
  startsAtSeconds: number;
  isInterlaced: boolean;
  /** The colours that players assume, only where the source lacks colour metadata. */
  colours?: "smpte170m" | "bt709";
  /** The codecs of the audio streams, in order. */
  audioCodecs: string[];
  /** The implicit label of the source, as it was written. */
  aigc?: string;
  /** The visible label: `draw` it, or the source shows one. */
  visibleLabel?: "draw" | "carried";
  /** The agreement under which it gets none. */
  labelAgreementId?: LabelAgreementId;
  /** Whether it is for a test key: `endsAt` is after the first seconds only, and the frames are marked. */
  isTest?: true;
}

/** A segment of it. In ticks: the frames from here on and before there. */
export interface SegmentPlan {
  from: number;
  to: number;
  frames: number;
}

export interface UpscaleTables {
  upscales: {
    task_id: TaskId;
    account_id: AccountId;
    source_key: string;
    owns_source: boolean;
    plan: Json<VideoPlan>;
    created_at: Generated<Date>;
  };
  upscale_segments: {
    task_id: TaskId;
    number: number;
    plan: Json<SegmentPlan>;
    frames: number;
    frames_done: Generated<number>;
    free_at: Generated<Date>;
    leased_by: string | null;
    tries: Generated<number>;
    vendor_job_id: string | null;
    submit_started_at: Date | null;
    object_key: string | null;
    size_bytes: number | null;
    failure: string | null;
    failure_code: FailureCode | null;
    started_at: Generated<Date | null>;
    ended_at: Generated<Date | null>;
  };
  upscale_turns: {
    account_id: AccountId;
    served_at: Date;
  };
}
