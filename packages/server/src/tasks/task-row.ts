import type { Selectable } from "kysely";
import type { Config } from "../config.ts";
import type { Database } from "../db/schema.ts";

export type TaskRow = Selectable<Database["tasks"]>;

export type TaskView = (task: TaskRow, config: Config) => Record<string, unknown>;
