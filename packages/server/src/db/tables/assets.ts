import type { ColumnType, Generated } from "kysely";
import type { AccountId, AssetId, TaskId, UploadId } from "../../ids.ts";

/** `undone`: the verdict of a person before it counts no longer. */
export type AssetVerdict = "passed" | "refused" | "unsure" | "revoked" | "undone";

/** The reason why an asset is FAILED, for programs. */
export type AssetFault = "unreachable" | "unusable" | "storage_limit" | "refused" | "broken";

/** The confidence of the automatic reviewer's models, from 0 to 1. */
export interface ReviewScores {
  /** Pornography, videoed or drawn. */
  explicit: number;
  /** The above, or merely undressed. */
  sexual: number;
  /** A face, of the one that is seen best. */
  face: number;
}

export interface AssetTables {
  media_objects: {
    key: string;
    created_at: Generated<Date>;
    expires_at: Date | null;
    /** The task whose output it is. */
    task_id: Generated<TaskId | null>;
  };
  asset_uploads: {
    id: UploadId;
    account_id: AccountId;
    type: "IMAGE" | "AUDIO" | "VIDEO" | "DOCUMENT";
    name: string | null;
    size_bytes: number;
    sha256: string | null;
    chunk_bytes: number;
    chunk_stem: string;
    created_at: Generated<Date>;
    expires_at: Date;
    completed_at: Date | null;
  };
  assets: {
    id: Generated<AssetId>;
    upstream_asset_id: string;
    account_id: AccountId;
    type: "IMAGE" | "AUDIO" | "VIDEO";
    status: "NONE" | "PROCESSING" | "ACTIVE" | "FAILED";
    content_type: string | null;
    size_bytes: number | null;
    width: number | null;
    height: number | null;
    duration_ms: number | null;
    frames: Generated<number | null>;
    video_codec: Generated<string | null>;
    url: Generated<string>;
    name: string | null;
    storage_key: string | null;
    sha256: string | null;
    fail_reason: string | null;
    vendor_asset_id: string | null;
    vendor_submit_started_at: Date | null;
    next_step_at: Generated<Date | null>;
    /** The time at which its file began to be fetched; null: it waits in line. */
    turn_at: Generated<Date | null>;
    steps: Generated<number>;
    revoked_at: Date | null;
    created_at: Generated<Date>;
    upload_id: UploadId | null;
    address: Generated<string>;
    fail_code: AssetFault | null;
    deleted_at: Date | null;
    next_check_at: Date | null;
    form_bytes: Generated<number>;
  };
  asset_reviews: {
    asset_id: AssetId;
    number: number;
    actor: string;
    verdict: AssetVerdict;
    reason: string;
    unable: Generated<boolean>;
    at: Generated<Date>;
    code: string | null;
    scores: ColumnType<ReviewScores | null, string | null, never>;
    takes_effect_at: Date | null;
  };
  account_libraries: {
    account_id: AccountId;
    stored_bytes: Generated<number>;
    open_assets_max: number | null;
    open_uploads_max: number | null;
    stored_bytes_max: number | null;
  };
}
