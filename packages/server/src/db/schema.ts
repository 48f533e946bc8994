import type { AccountTables } from "./tables/accounts.ts";
import type { AdminTables } from "./tables/admin.ts";
import type { AssetTables } from "./tables/assets.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { CreditTables } from "./tables/credits.ts";
import type { FactorTables } from "./tables/factors.ts";
import type { LabelTables } from "./tables/labels.ts";
import type { MaintenanceTables } from "./tables/maintenance.ts";
import type { PeopleTables } from "./tables/people.ts";
import type { PriceTables } from "./tables/prices.ts";
import type { RequestTables } from "./tables/requests.ts";
import type { ReviewTables } from "./tables/reviews.ts";
import type { TaskTables } from "./tables/tasks.ts";
import type { UpscaleTables } from "./tables/upscale.ts";
import type { VendorTables } from "./tables/vendors.ts";
import type { WebhookTables } from "./tables/webhooks.ts";

/**
 * Row types of the migrations. Every shard has all of these tables; the first uses those of the directory as
 * well. bigint columns arrive as numbers: see connections.ts.
 */
export interface Database
  extends AccountTables,
    AdminTables,
    AuditTables,
    CreditTables,
    TaskTables,
    WebhookTables,
    AssetTables,
    RequestTables,
    ReviewTables,
    LabelTables,
    UpscaleTables,
    MaintenanceTables,
    PeopleTables,
    VendorTables,
    PriceTables,
    FactorTables {}

/** The tables that have rows only in the first shard. */
type DirectoryTable =
  | keyof PeopleTables
  | keyof FactorTables
  | keyof PriceTables
  | "vendor_accounts"
  | "switches"
  | "current_key"
  | "review_reminders"
  | "service_keys";

/** Every shard has its own rows in these, and queries of the directory read and write those of the first. */
type SharedTable =
  | "accounts" // forwarding rows of accounts that live elsewhere
  | "api_keys" // those of accounts that have moved, whose names the audit has
  | "key_uses"
  | "account_allowances" // of invitations
  | "audit_entries" // what happened to people
  | "stuck_rows" // mails
  | "this_shard";

export interface SharedTables extends Pick<Database, SharedTable> {}
/** The tables of people, staff, mails, vendor accounts, switches and prices, in the first shard. */
export interface DirectoryTables extends Pick<Database, DirectoryTable | SharedTable> {}
/** The tables of accounts, in the shard of each account. */
export interface ShardTables extends Omit<Database, DirectoryTable> {}
