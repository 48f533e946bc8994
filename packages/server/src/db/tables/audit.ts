import type { ColumnType, Generated } from "kysely";
import type { AccountId, AuditId, PersonId } from "../../ids.ts";

/** Values by field, without secrets. */
export type AuditValues = Record<string, string | number | boolean | null | string[]>;

export interface AuditTables {
  audit_entries: {
    id: AuditId;
    account_id: AccountId | null;
    actor_kind: "key" | "person" | "command" | "service";
    person_id: PersonId | null;
    actor: string;
    action: string;
    object: string;
    before: ColumnType<AuditValues | null, string | null, never>;
    after: ColumnType<AuditValues | null, string | null, never>;
    reason: string | null;
    address: string | null;
    request_id: string | null;
    as_staff: boolean | null;
    created_at: Generated<Date>;
  };
}
