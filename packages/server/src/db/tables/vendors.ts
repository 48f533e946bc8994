import type { ColumnType, Generated } from "kysely";

export interface VendorTables {
  vendor_accounts: {
    name: string;
    kind: string;
    settings: ColumnType<Record<string, unknown>, string, string>;
    credentials: string | null;
    models: string[] | null;
    weight: number;
    open_jobs_max: number | null;
    credits_per_day_max: number | null;
    paused_at: Generated<Date | null>;
    removed_at: Generated<Date | null>;
    created_at: Generated<Date>;
  };
  vendor_usage: {
    vendor_account: string;
    day: Date;
    credits: number;
    refused_at: Generated<Date | null>;
  };
}
