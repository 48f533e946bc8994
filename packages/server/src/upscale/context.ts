import type { MediaContext } from "../context.ts";
import type { Signal } from "../flow/signal.ts";
import type { PriceBooks } from "../prices/price-books.ts";
import type { TasksContext } from "../tasks/context.ts";
import type { Cancels } from "../vendors/cancels.ts";
import type { Upscaler, VendorUpscaler } from "./upscalers/upscaler.ts";

export interface UpscaleContext extends MediaContext, TasksContext {
  /** For tasks of the release before, which did not store their rates. */
  prices: PriceBooks;
  /** This service's own. */
  upscaler: Upscaler;
  /** The vendor that upscales videos for this deployment, if any. */
  vendorUpscaler: VendorUpscaler | null;
  /** Rung when there may be a segment to work on, and room for it. */
  segmentSignal: Signal;
  /** Cancels vendors' jobs in the background. */
  cancels: Cancels;
}
