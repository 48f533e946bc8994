import type { Generated } from "kysely";
import type { Json } from "../json.ts";
import type { StaffKind } from "./admin.ts";

export interface PriceTables {
  price_books: {
    name: string;
    description: Generated<string>;
    created_at: Generated<Date>;
  };
  price_versions: {
    book: string;
    version: number;
    document: Json<unknown>;
    valid_from: Date;
    published_at: Generated<Date>;
    published_kind: "person" | "command" | "migration";
    published_by: string;
    reason: string | null;
  };
  price_drafts: {
    book: string;
    document: Json<unknown>;
    based_on: number;
    changed_at: Generated<Date>;
    changed_kind: StaffKind;
    changed_by: string;
    valid_from: Date | null;
    reason: string | null;
    asked_at: Date | null;
    asked_kind: StaffKind | null;
    asked_by: string | null;
  };
  cost_books: {
    vendor_account: string;
    created_at: Generated<Date>;
  };
  cost_versions: {
    vendor_account: string;
    version: number;
    document: Json<unknown>;
    valid_from: Date;
    published_at: Generated<Date>;
    published_kind: "person" | "command";
    published_by: string;
    reason: string | null;
  };
}
