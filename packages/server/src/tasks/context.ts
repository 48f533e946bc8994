import type { Context } from "../context.ts";
import type { CostBooks } from "../prices/cost-books.ts";
import type { Cancels } from "../vendors/cancels.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import type { WebhooksContext } from "../webhooks/context.ts";
import type { TaskView } from "./task-row.ts";

export interface TasksContext extends WebhooksContext {
  /** Renders a task for its owner: the response to a query and the body of a callback. */
  viewTask: TaskView;
}

export interface VendorsContext extends Context {
  /**
   * The vendor accounts by name. The map changes while the process runs: look an account up again for every
   * use.
   */
  vendors: ReadonlyMap<string, VendorAccount>;
  /** Reads them from the database now, for callers that miss one: a change may be seconds old. */
  refreshVendors(): Promise<void>;
  /** The accounts that this process cannot open: what no other serves waits for them. */
  unusableVendors(): readonly string[];
  /** Cancels vendors' jobs in the background. */
  cancels: Cancels;
  /** What the vendor accounts charge, as this process last read it. */
  costs: CostBooks;
}

/** The context for ending tasks whose vendor may still be at work. */
export interface SweepContext extends TasksContext, VendorsContext {}
