import type { Generated } from "kysely";
import type { AccountId, KeyId, LotId, TaskId, TransferId } from "../../ids.ts";

export const transferKinds = [
  "grant",
  "hold",
  "raise",
  "capture",
  "release",
  "adjust",
  "expiry",
] as const;
export type TransferKind = (typeof transferKinds)[number];

/** The origin of credits. `migration`: the balance from before there were lots. */
type LotSource = "purchase" | "promotion" | "goodwill" | "adjustment" | "migration" | "test";

/** The task, or the transfer itself if no task caused it. */
export type CauseId = TaskId | TransferId;

type Book = "available" | "held" | "issued" | "revenue";

export interface CreditTables {
  transfers: {
    cause_id: CauseId;
    kind: TransferKind;
    id: TransferId;
    account_id: AccountId;
    amount: number;
    note: string | null;
    created_at: Generated<Date>;
    number: number;
    credits_after: number;
    held_after: number;
  };
  entries: {
    cause_id: CauseId;
    kind: TransferKind;
    account_id: AccountId;
    book: Book;
    amount: number;
  };
  lots: {
    id: LotId;
    account_id: AccountId;
    /** The number of the transfer that made it; of a migration the last before it. */
    number: number;
    source: LotSource;
    credits: number;
    credits_left: number;
    is_open: Generated<boolean>;
    net_minor: Generated<number>;
    currency: string | null;
    expires_at: Date | null;
    cause_id: CauseId | LotId;
    created_at: Generated<Date>;
  };
  lot_uses: {
    cause_id: CauseId;
    kind: TransferKind & ("capture" | "adjust" | "expiry");
    lot_id: LotId;
    account_id: AccountId;
    credits: number;
    net_minor: number;
  };
  usage_hours: {
    /** The smallest id of the hour. */
    start_id: string;
    account_id: AccountId;
    kind: "generation" | "upscale";
    model: string;
    key_id: KeyId | null;
    status: "COMPLETED" | "FAILED";
    tasks: number;
    credits: number;
    video_ms: number;
  };
  usage_days: {
    /** The smallest id of the day. */
    start_id: string;
    account_id: AccountId;
    kind: "generation" | "upscale";
    model: string;
    key_id: KeyId | null;
    status: "COMPLETED" | "FAILED";
    tasks: number;
    credits: number;
    video_ms: number;
  };
}
