import type { Generated } from "kysely";

export type TransferKind = "grant" | "hold" | "raise" | "capture" | "release" | "adjust";

type Book = "available" | "held" | "issued" | "revenue";

export interface CreditTables {
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
}
