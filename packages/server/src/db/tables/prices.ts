import type { Generated } from "kysely";
import type { Json } from "../json.ts";

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
}
