import type { Semaphore } from "../flow/semaphore.ts";
import type { Unfinished } from "../flow/unfinished.ts";
import type { Model } from "../models/model.ts";
import type { PricesContext } from "../prices/context.ts";
import type { SweepContext } from "../tasks/context.ts";
import type { UpscaleContext } from "../upscale/context.ts";

export interface ModelsContext extends PricesContext {
  /** The available models, in the order in which they are shown. */
  models: readonly Model[];
}

export interface GenerationContext extends UpscaleContext, SweepContext, ModelsContext {
  /** Making images fit for a vendor: a processor each. */
  encodes: Semaphore;
  /** The permits for submits to vendors that return the result directly: each holds files in memory. */
  directSubmits: Semaphore;
  /** The work that this process must complete before it stops. */
  unfinished: Unfinished;
}
