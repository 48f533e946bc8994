import type { ModelsContext } from "../generation/context.ts";
import type { SweepContext } from "../tasks/context.ts";

export interface AdminContext extends SweepContext, ModelsContext {}
