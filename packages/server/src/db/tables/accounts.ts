import type { Generated } from "kysely";
import type { AccountId, KeyId, PersonId } from "../../ids.ts";
import type { Json } from "../json.ts";

/** The scopes of a key. */
export const scopes = ["tasks", "assets", "webhooks", "account", "keys", "read"] as const;

export type Scope = (typeof scopes)[number];

/** The scope that a key without scopes does not have: a leaked key must not be able to create others. */
export const namedScope = "keys" satisfies Scope;

/** The notices by subject: `credits`, and `key` with the id of each. */
export type OwnerNotices = Record<string, CreditsNotice | BudgetNotice>;
export interface CreditsNotice {
  credits: number;
  /**
   * The credits without those that open tasks hold: what a new task can cost. Missing from notices of an
   * earlier release.
   */
  availableCredits?: number;
  creditsLow: number;
}
export interface BudgetNotice {
  name: string;
  hint: string;
  percent: number;
  creditsMax: number;
}

export interface AccountTables {
  accounts: {
    id: AccountId;
    name: string;
    /** The price book; null: that of the deployment. Named so when there were two. */
    price_schedule: string | null;
    /** In hundredths of a per cent. */
    discount: Generated<number | null>;
    discount_until: Generated<Date | null>;
    open_tasks_max: Generated<number>;
    credits: Generated<number>;
    held: Generated<number>;
    transfers: Generated<number>;
    webhook_secret: string;
    webhook_secret_before: Generated<string | null>;
    webhook_secret_before_until: Generated<Date | null>;
    webhook_tail_hours: Generated<number>;
    /** The account whose twin for test mode this is. */
    test_of: Generated<AccountId | null>;
    created_at: Generated<Date>;
    /** Being erased, or erased: it takes nothing new. */
    closed_at: Generated<Date | null>;
    erased_at: Generated<Date | null>;
    /** It can be read, and accepts nothing new. */
    suspended_at: Generated<Date | null>;
    suspended_reason: Generated<string | null>;
    /**
     * The time since which its test keys are neither issued nor accepted. The row of its test account has
     * the same value.
     */
    test_mode_off_at: Generated<Date | null>;
    /** The balance below which the account is notified. */
    credits_low: Generated<number | null>;
    /** The notices to be mailed to its owners. */
    owner_notices: Generated<Json<OwnerNotices> | null>;
    /** The shard that it lives in; null: this one. Otherwise the row is a forwarding row. */
    moved_to: Generated<number | null>;
    /** It is about to move: no submit of it begins. */
    moving_at: Generated<Date | null>;
  };
  /** One row: which shard this database is. */
  this_shard: {
    is_only: Generated<boolean>;
    number: number;
  };
  /** The open rows of an account that is being moved to this shard. */
  arrivals: {
    account_id: AccountId;
    from_shard: number;
    open_rows: Json<unknown>;
    created_at: Generated<Date>;
  };
  api_keys: {
    id: KeyId;
    account_id: AccountId;
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
    /** The person who made it; null: an operator's command, or a key. */
    created_by: Generated<PersonId | null>;
    created_by_key: Generated<KeyId | null>;
    /** The share of the budget in percent of the last notice. */
    budget_told: Generated<number>;
  };
  key_uses: {
    key_id: KeyId;
    used_at: Date;
  };
  account_allowances: {
    account_id: AccountId;
    kind: string;
    used: number;
    used_at: Date;
  };
}
