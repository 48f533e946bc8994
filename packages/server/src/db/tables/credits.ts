import type { Generated } from "kysely";
import type { AccountId, KeyId, TaskId, TransferId } from "../../ids.ts";

export type TransferKind = "grant" | "hold" | "raise" | "capture" | "release" | "adjust";

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
