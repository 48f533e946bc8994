import type { Context, MediaContext } from "../context.ts";

/** The context of a worker, which opens the files that an api receives. */
export interface OpenerContext extends Context, Pick<MediaContext, "programs"> {}
