import type { ColumnType, Generated } from "kysely";
import type {
  AccountId,
  GrantLimitId,
  LedgerCheckId,
  NoteId,
  PersonId,
  ProcessId,
  ServiceKeyId,
  TransferId,
} from "../../ids.ts";
import type { Json } from "../json.ts";

/** Nouns of the operator API. A service key with the scope `accounts` may change them, with `accounts:read` read them. */
export const serviceNouns = [
  "accounts",
  "keys",
  "credits",
  "tasks",
  "vendors",
  "people",
  "review",
  "switches",
  "prices",
  "audit",
  "system",
] as const;
export type ServiceNoun = (typeof serviceNouns)[number];
/** The scope that a service key needs for a route. Approving for a second person has a separate scope. With `prices` a key prepares drafts; people alone publish them. */
export type ServiceScope = ServiceNoun | `${ServiceNoun}:read` | "credits:approve";
export const serviceScopes = serviceNouns.flatMap((noun): ServiceScope[] => [
  ...(noun === "audit" ? [] : [noun]),
  `${noun}:read`,
  ...(noun === "credits" ? (["credits:approve"] as const) : []),
]);

/**
 * The kind of a staff actor: a person, or a user who runs an operator command. A service key counts as the
 * person who issued it.
 */
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
    credits_expire_at: Generated<Date | null>;
    decided_kind: StaffKind | null;
    decided_by: string | null;
    decided_at: Date | null;
  };
  grant_limits: {
    id: GrantLimitId;
    credits: number | null;
    status: "pending" | "set" | "rejected";
    asked_kind: StaffKind;
    asked_by: string;
    created_at: Generated<Date>;
    decided_kind: Generated<StaffKind | null>;
    decided_by: Generated<string | null>;
    set_at: Date | null;
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
  service_keys: {
    id: ServiceKeyId;
    name: string;
    hint: string;
    hash: Buffer;
    scopes: ServiceScope[];
    networks: string[] | null;
    issued_by: PersonId;
    expires_at: Date;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
    revoked_by: PersonId | null;
  };
}
