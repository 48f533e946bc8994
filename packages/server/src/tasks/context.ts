import type { Context } from "../context.ts";
import type { Cancels } from "../vendors/cancels.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import type { WebhooksContext } from "../webhooks/context.ts";
import type { TaskView } from "./task-row.ts";

export interface TasksContext extends WebhooksContext {
  /** Renders a task for its owner: the answer to a query and the body of a callback. */
  viewTask: TaskView;
}

export interface VendorsContext extends Context {
  /** By name, in the order in which they are tried. */
  vendors: ReadonlyMap<string, VendorAccount>;
  /** Cancels vendors' jobs in the background. */
  cancels: Cancels;
}

/** For ending tasks whose vendor may still be at work. */
export interface SweepContext extends TasksContext, VendorsContext {}
