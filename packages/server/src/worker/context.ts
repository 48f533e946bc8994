import type { AssetsContext } from "../assets/context.ts";
import type { GenerationContext } from "../generation/context.ts";

export interface WorkerContext extends GenerationContext, AssetsContext {}
