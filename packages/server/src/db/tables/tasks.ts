import type { ColumnType, Generated } from "kysely";
import type { FailureCode } from "../../errors.ts";
import type { AccountId, KeyId, LabelAgreementId, TaskId } from "../../ids.ts";
import type { Json } from "../json.ts";

type TaskStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";

export type SubmitOutcome =
  | "accepted"
  | "delivered"
  | "refused"
  | "throttled"
  | "unavailable"
  | "unknown";

/** A small WebP of an output. */
export interface Poster {
  key: string;
  thumbhash: string;
  /** The print of its pixels; null if they have too little structure. Older records lack it. */
  print?: string | null;
}

/**
 * `visible`: a text that viewers see; `aigc`: the implicit label of GB 45438; `c2pa`: a signed manifest, of a
 * vendor or our own.
 */
export const labelKinds = ["visible", "aigc", "c2pa"] as const;
export type LabelKind = (typeof labelKinds)[number];

/** The files of a completed task in storage. */
export interface StoredMedia {
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  width: number;
  height: number;
  /** `null` for an image. */
  durationMs: number | null;
  /** The number of frames of a video. Older records lack it. */
  frames?: number | null;
  /** Milliseconds since 1970: until then the file is kept. Older records lack it. */
  expiresAt?: number;
  /** Null if it could not be made. Older records lack it. */
  poster?: Poster | null;
  /** Milliseconds since 1970: when it was stored. Older records lack it. */
  storedAt?: number;
  /** The marks that the file carries. Older records lack it. */
  labels?: LabelKind[];
  /** The agreement under which it has no visible label. Missing if it has one, or needs none. */
  labelAgreementId?: LabelAgreementId | undefined;
  /** The source of an upscale. */
  source?: { width: number; height: number; durationMs: number };
}

/** Our copy of an external file that a task was given. */
export interface PinnedInput {
  /** The input that named it, such as `inputs.urls[0]`. */
  param: string;
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

/** Moments of an ended task, in milliseconds since 1970. */
export interface TaskMoments {
  vendorEndedAt?: number;
  upscale?: UpscaleMoments;
}

/** What the cost of a submit can depend on. */
export interface CostFacts {
  /** The rate key of the output, as in price books. */
  key: string;
  /** The length of the output, and of all input videos together. */
  seconds: number;
  inputSeconds: number;
  images: number;
}

/**
 * `reported`: by the usage that the vendor has reported; `estimated`: the vendor reported none; `free`: the vendor
 * charges nothing for it; `unknown`: the estimate of a submit that is not over or whose response was lost, or nothing
 * that can be computed.
 */
export const costSources = ["reported", "estimated", "free", "unknown"] as const;
export type CostSource = (typeof costSources)[number];

/** What the vendor charges for a submit. */
export interface RecordedCost {
  /** By the vendor's names, as exact decimals. */
  units: Readonly<Record<string, string>>;
  /** An integer as a text: millionths of the smallest unit of the currency. Null: nobody knows. */
  micros: string | null;
  currency: string;
  /** The version of the vendor account's cost book. */
  version: number;
  source: CostSource;
}

/** What a submit has used, as the vendor reports it, and what that costs. */
export interface Used {
  usage: Readonly<Record<string, string>> | null;
  /** Null: the vendor account has no cost book. */
  cost: RecordedCost | null;
}

export interface UpscaleMoments {
  startedAt: number;
  segmentCount: number;
  /** The first 100: start and end of each. */
  segments: [number | null, number | null][];
}

export interface TaskTables {
  tasks: {
    id: TaskId;
    account_id: AccountId;
    key_id: KeyId | null;
    kind: "generation" | "upscale";
    model: string;
    request: Json<unknown>;
    /** The price book. Named so when there were two. */
    price_schedule: string;
    /** The version of the book, the discount in hundredths of a per cent and what was priced. Null in tasks of the release before. */
    price_version: Generated<number | null>;
    discount: Generated<number | null>;
    price_lines: Json<unknown> | null;
    credits: number;
    callback_url: string | null;
    status: Generated<TaskStatus>;
    inputs: ColumnType<PinnedInput[] | null, never, string>;
    output: Json<StoredMedia[] | null> | null;
    error_code: string | null;
    error_message: string | null;
    created_at: Date;
    completed_at: Date | null;
    moments: Json<TaskMoments | null> | null;
  };
  output_prints: {
    task_id: TaskId;
    number: number;
    sha256: Buffer;
    /** Larger than the integers of JavaScript: it is compared in the database, not read. */
    print: number | null;
    kind: "video" | "image" | "upscale";
    made_at: Date;
  };
  open_tasks: {
    task_id: TaskId;
    account_id: AccountId;
    vendor_account: string;
    deadline_at: Date;
    next_step_at: Date;
    steps: Generated<number>;
    submit_started_at: Date | null;
    vendor_job_id: string | null;
    result_url: string | null;
    failure_code: Generated<FailureCode | null>;
    delivered: ColumnType<StoredMedia | null, never, string>;
    traceparent: Generated<string | null>;
    vendor_ended_at: Generated<Date | null>;
    claim_id: Generated<string | null>;
  };
  submissions: {
    task_id: TaskId;
    started_at: Date;
    vendor_account: string;
    outcome: SubmitOutcome | null;
    vendor_job_id: string | null;
    detail: string | null;
    ended_at: Generated<Date | null>;
    accepted_at: Generated<Date | null>;
    /** The vendor's name of the model. It, and all that follows, is null in rows of the release before. */
    vendor_model: Generated<string | null>;
    cost_facts: Json<CostFacts | null> | null;
    /** By the vendor's names, as exact decimals. Null: none was reported. */
    usage: Json<Record<string, string> | null> | null;
    cost_units: Json<Record<string, string> | null> | null;
    cost_micros: Generated<number | null>;
    cost_currency: Generated<string | null>;
    cost_version: Generated<number | null>;
    cost_source: Generated<CostSource | null>;
  };
  vendor_pace: {
    vendor_account: string;
    next_call_at: Date;
    throttled_until: Generated<Date | null>;
    failures: Generated<number>;
    skipped_until: Generated<Date | null>;
  };
  idempotency_keys: {
    account_id: AccountId;
    key: string;
    fingerprint: Buffer;
    response: Json<{ taskId: TaskId }>;
    created_at: Generated<Date>;
  };
}
