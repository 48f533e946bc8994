import type { Model } from "../models/model.ts";
import type { Semaphore } from "../semaphore.ts";
import type { SwitchesContext } from "../switches/context.ts";
import type { SweepContext } from "../tasks/context.ts";
import type { Unfinished } from "../unfinished.ts";
import type { UpscaleContext } from "../upscale/context.ts";

export interface ModelsContext extends SwitchesContext {
  /** What is offered, in the order in which it is shown. */
  models: readonly Model[];
}

export interface GenerationContext extends UpscaleContext, SweepContext, ModelsContext {
  /** Making images fit for a vendor: a processor each. */
  encodes: Semaphore;
  /** Submits to vendors that answer with the result: each holds files in memory. */
  directSubmits: Semaphore;
  /** What this process must bring to an end before it stops. */
  unfinished: Unfinished;
}
