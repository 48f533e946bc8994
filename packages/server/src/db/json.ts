import type { ColumnType } from "kysely";

/** jsonb: read as the value, written as text. */
export type Json<Value> = ColumnType<Value, string, string>;
