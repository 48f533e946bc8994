import type { Generated } from "kysely";

export type PriceSchedule = "A" | "B";

/** What a key may do. */
export const scopes = ["tasks", "assets", "webhooks", "account", "read"] as const;

export type Scope = (typeof scopes)[number];

export interface AccountTables {
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
  account_allowances: {
    account_id: string;
    kind: string;
    used: number;
    used_at: Date;
  };
}
