import type { ColumnType, Generated } from "kysely";
import type { AccountId, AssetId, UploadId } from "../../ids.ts";

export interface Refusal {
  assetId: AssetId;
  reason: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface ReviewTables {
  open_reviews: {
    asset_id: AssetId;
    account_id: AccountId;
    place_at: Date;
    asked_at: Generated<Date>;
    claimed_by: string | null;
    claimed_at: Date | null;
    claimed_until: Date | null;
  };
  reviewer_days: {
    day: Date;
    reviewer: string;
    approved: Generated<number>;
    refused: Generated<number>;
    undone: Generated<number>;
    judging_ms: Generated<number>;
    last_decided_at: Generated<Date>;
  };
  account_reviews: {
    account_id: AccountId;
    passed: Generated<number>;
    refused: Generated<number>;
    last_refused_at: Date | null;
    recent: Generated<ColumnType<Refusal[], string, string>>;
  };
  asset_declarations: {
    asset_id: AssetId;
    account_id: AccountId;
    people: string;
    purpose: string;
    form_upload_id: UploadId | null;
    form_key: string | null;
    form_type: string | null;
    form_sha256: string | null;
    created_at: Generated<Date>;
  };
}
