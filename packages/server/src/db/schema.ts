import type { ColumnType, Generated } from "kysely";
import type { FailureCode } from "../errors.ts";

/** Row types of the migrations. bigint columns arrive as numbers: see database.ts. */
export type PriceSchedule = "A" | "B";
type TaskStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
export type TransferKind = "grant" | "hold" | "raise" | "capture" | "release" | "adjust";
/** What a key may do. */
export const scopes = ["tasks", "assets", "webhooks", "account", "read"] as const;
export type Scope = (typeof scopes)[number];
type Book = "available" | "held" | "issued" | "revenue";
export type SubmitOutcome =
  | "accepted"
  | "delivered"
  | "refused"
  | "throttled"
  | "unavailable"
  | "unknown";

/** jsonb: read as the value, written as text. */
type Json<Value> = ColumnType<Value, string, string>;

/** What a completed task has in storage. */
export interface StoredMedia {
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  width: number;
  height: number;
  /** `null` for an image. */
  durationMs: number | null;
  /** Milliseconds since 1970: until then the file is kept. Older records do not say. */
  expiresAt?: number;
  /** What an upscale was made from. */
  source?: { width: number; height: number; durationMs: number };
}

export type AssetVerdict = "passed" | "refused" | "unsure" | "revoked";
/** Why an asset is FAILED, for programs. */
export type AssetFault = "unreachable" | "unusable" | "storage_limit" | "refused" | "broken";

/** Our copy of an external file that a task was given. */
export interface PinnedInput {
  /** The input that named it, such as `inputs.urls[0]`. */
  param: string;
  key: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

/** What is known of a video that is to be made larger, and what it is to become. */
export interface VideoPlan {
  contentType: string;
  target: "1080p" | "2k" | "4k";
  source: { width: number; height: number; durationMs: number };
  /** Who makes it larger. A vendor's result may have other sides, and other times of its frames. */
  by: "us" | "vendor";
  /** Of the result. */
  width: number;
  height: number;
  /** A fraction of a second, which the times below are counted in. */
  tick: { over: number; under: number };
  /** When the first frame is shown, and when the last one ends. */
  firstAt: number;
  endsAt: number;
  /** Of the whole video: its sound may begin before the image. */
  startsAtSeconds: number;
  isInterlaced: boolean;
  /** Only where it does not say how its colours are written: what players take them for. */
  colours?: "smpte170m" | "bt709";
  /** The sound streams' codecs, in their order. */
  sounds: string[];
}

/** A segment of it. In ticks: the frames from here on and before there. */
export interface SegmentPlan {
  from: number;
  to: number;
  frames: number;
}

export interface Database {
  accounts: {
    id: string;
    name: string;
    price_schedule: PriceSchedule | null;
    open_tasks_max: Generated<number>;
    credits: Generated<number>;
    held: Generated<number>;
    transfers: Generated<number>;
    webhook_secret: string;
    webhook_secret_before: Generated<string | null>;
    webhook_secret_before_until: Generated<Date | null>;
    webhook_tail_hours: Generated<number>;
    /** The account whose twin for test mode this is. */
    test_of: Generated<string | null>;
    created_at: Generated<Date>;
  };
  api_keys: {
    id: string;
    account_id: string;
    name: string;
    hint: string;
    hash: Buffer;
    created_at: Generated<Date>;
    revoked_at: Date | null;
    expires_at: Date | null;
    models: string[] | null;
    requests_per_minute_max: number | null;
    credits_max: number | null;
    credits_used: Generated<number>;
    scopes: Scope[] | null;
  };
  transfers: {
    cause_id: string;
    kind: TransferKind;
    id: string;
    account_id: string;
    amount: number;
    note: string | null;
    created_at: Generated<Date>;
    number: number;
    credits_after: number;
    held_after: number;
  };
  entries: {
    cause_id: string;
    kind: TransferKind;
    account_id: string;
    book: Book;
    amount: number;
  };
  assets: {
    id: Generated<number>;
    upstream_asset_id: string;
    account_id: string;
    type: "IMAGE" | "AUDIO" | "VIDEO";
    status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
    content_type: string | null;
    size_bytes: number | null;
    width: number | null;
    height: number | null;
    duration_ms: number | null;
    video_codec: Generated<string | null>;
    url: Generated<string>;
    name: string | null;
    storage_key: string | null;
    sha256: string | null;
    fail_reason: string | null;
    vendor_asset_id: string | null;
    vendor_submit_started_at: Date | null;
    next_step_at: Generated<Date | null>;
    steps: Generated<number>;
    revoked_at: Date | null;
    created_at: Generated<Date>;
    upload_id: string | null;
    address: Generated<string>;
    fail_code: AssetFault | null;
    deleted_at: Date | null;
    next_check_at: Date | null;
  };
  account_libraries: {
    account_id: string;
    stored_bytes: Generated<number>;
    open_assets_max: number | null;
    open_uploads_max: number | null;
    stored_bytes_max: number | null;
  };
  asset_uploads: {
    id: string;
    account_id: string;
    type: "IMAGE" | "AUDIO" | "VIDEO";
    name: string | null;
    size_bytes: number;
    sha256: string | null;
    chunk_bytes: number;
    chunk_stem: string;
    created_at: Generated<Date>;
    expires_at: Date;
    completed_at: Date | null;
  };
  media_objects: {
    key: string;
    created_at: Generated<Date>;
    expires_at: Date | null;
  };
  asset_reviews: {
    asset_id: number;
    number: number;
    actor: string;
    verdict: AssetVerdict;
    reason: string;
    unable: Generated<boolean>;
    at: Generated<Date>;
  };
  tasks: {
    id: string;
    account_id: string;
    key_id: string | null;
    kind: "generation" | "upscale";
    model: string;
    request: Json<unknown>;
    price_schedule: PriceSchedule;
    credits: number;
    callback_url: string | null;
    status: Generated<TaskStatus>;
    inputs: ColumnType<PinnedInput[] | null, never, string>;
    output: Json<StoredMedia[] | null> | null;
    error_code: string | null;
    error_message: string | null;
    created_at: Date;
    completed_at: Date | null;
  };
  open_tasks: {
    task_id: string;
    account_id: string;
    vendor_account: string;
    deadline_at: Date;
    next_step_at: Date;
    steps: Generated<number>;
    submit_started_at: Date | null;
    vendor_job_id: string | null;
    result_url: string | null;
    failure_code: Generated<FailureCode | null>;
    delivered: ColumnType<StoredMedia | null, never, string>;
  };
  upscales: {
    task_id: string;
    account_id: string;
    source_key: string;
    owns_source: boolean;
    plan: Json<VideoPlan>;
    created_at: Generated<Date>;
  };
  upscale_segments: {
    task_id: string;
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
  };
  submissions: {
    task_id: string;
    started_at: Date;
    vendor_account: string;
    outcome: SubmitOutcome | null;
    vendor_job_id: string | null;
    detail: string | null;
  };
  idempotency_keys: {
    account_id: string;
    key: string;
    fingerprint: Buffer;
    response: Json<{ taskId: string }>;
    created_at: Generated<Date>;
  };
  events: {
    id: string;
    account_id: string;
    number: number;
    task_id: string;
    type: string;
    body: string;
    created_at: Generated<Date>;
  };
  deliveries: {
    id: string;
    account_id: string;
    task_id: string | null;
    url: string;
    body: string;
    created_at: Generated<Date>;
    delivered_at: Date | null;
    given_up_at: Date | null;
    rounds: Generated<number>;
  };
  attempts: {
    delivery_id: string;
    number: number;
    started_at: Date;
    duration_ms: number | null;
    status: number | null;
    reason: string | null;
  };
  open_deliveries: {
    delivery_id: string;
    account_id: string;
    host: Generated<string>;
    attempts: Generated<number>;
    attempts_before: Generated<number>;
    next_attempt_at: Date;
  };
  account_allowances: {
    account_id: string;
    kind: string;
    used: number;
    used_at: Date;
  };
  stuck_rows: {
    loop: string;
    key: string;
    account_id: string | null;
    failures: number;
    first_failed_at: Generated<Date>;
    last_failed_at: Generated<Date>;
    next_try_at: Date;
    parked_at: Date | null;
    reason: string;
  };
  vendor_pace: {
    vendor_account: string;
    next_call_at: Date;
    throttled_until: Generated<Date | null>;
  };
}
