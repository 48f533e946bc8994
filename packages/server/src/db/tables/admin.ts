import type { ColumnType, Generated } from "kysely";
import type { AccountId, LedgerCheckId, NoteId, ProcessId, TransferId } from "../../ids.ts";
import type { Json } from "../json.ts";

/** Staff in person, or whoever runs an operator command. */
export type StaffKind = "person" | "command";

export interface AdminTables {
  account_notes: {
    id: NoteId;
    account_id: AccountId;
    actor_kind: StaffKind;
    actor: string;
    note: string;
    created_at: Generated<Date>;
  };
  grants: {
    id: TransferId;
    account_id: AccountId;
    kind: "grant" | "adjust";
    credits: number;
    reason: string;
    status: "pending" | "posted" | "rejected";
    asked_kind: StaffKind;
    asked_by: string;
    idempotency_key: string | null;
    created_at: Generated<Date>;
    expires_at: Date | null;
    decided_kind: StaffKind | null;
    decided_by: string | null;
    decided_at: Date | null;
  };
  switches: {
    name: string;
    value: Json<unknown>;
    changed_at: Generated<Date>;
  };
  ledger_checks: {
    id: LedgerCheckId;
    started_at: Date | null;
    finished_at: Date | null;
    transfers: number | null;
    tasks: number | null;
    breaches: ColumnType<unknown[] | null, never, string>;
    failure: string | null;
    created_at: Generated<Date>;
  };
  processes: {
    id: ProcessId;
    role: string;
    version: string;
    host: string;
    started_at: Date;
    seen_at: Generated<Date>;
    loops: Json<unknown>;
  };
}
