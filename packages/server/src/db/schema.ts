import type { AccountTables } from "./tables/accounts.ts";
import type { AdminTables } from "./tables/admin.ts";
import type { AssetTables } from "./tables/assets.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { CreditTables } from "./tables/credits.ts";
import type { FactorTables } from "./tables/factors.ts";
import type { MaintenanceTables } from "./tables/maintenance.ts";
import type { PeopleTables } from "./tables/people.ts";
import type { RequestTables } from "./tables/requests.ts";
import type { ReviewTables } from "./tables/reviews.ts";
import type { TaskTables } from "./tables/tasks.ts";
import type { UpscaleTables } from "./tables/upscale.ts";
import type { VendorTables } from "./tables/vendors.ts";
import type { WebhookTables } from "./tables/webhooks.ts";

/** Row types of the migrations. bigint columns arrive as numbers: see database.ts. */
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
    UpscaleTables,
    MaintenanceTables,
    PeopleTables,
    VendorTables,
    FactorTables {}
