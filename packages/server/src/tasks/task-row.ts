import type { Selectable } from "kysely";
import type { Database } from "../db/schema.ts";
import type { Config } from "../settings/config.ts";

/** The row of a task without its moments, which only the timeline reads. */
export type TaskRow = Omit<Selectable<Database["tasks"]>, "moments" | "price_version">;

/** The columns of a task that its owner can see. */
export type VisibleTask = Pick<
  TaskRow,
  | "id"
  | "account_id"
  | "key_id"
  | "kind"
  | "model"
  | "request"
  | "status"
  | "credits"
  | "output"
  | "error_code"
  | "error_message"
  | "created_at"
  | "completed_at"
>;

/** `shareDone`: how much of an upscale is done, from 0 to 1. */
export type TaskView = (
  task: VisibleTask,
  config: Config,
  shareDone?: number,
) => Record<string, unknown>;
