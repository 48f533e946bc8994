import type { Context, MediaContext } from "../context.ts";

export interface VerifyContext extends Context, Pick<MediaContext, "programs"> {}
