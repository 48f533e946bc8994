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
  /** By name. The content changes while the process runs: look an account up again for every use. */
  vendors: ReadonlyMap<string, VendorAccount>;
  /** Reads them from the database now, for whoever misses one: a change may be seconds old. */
  refreshVendors(): Promise<void>;
  /** Whether there is an account that this process cannot open: what no other serves waits for it. */
  missesVendors(): boolean;
  /** Cancels vendors' jobs in the background. */
  cancels: Cancels;
}

/** For ending tasks whose vendor may still be at work. */
export interface SweepContext extends TasksContext, VendorsContext {}
