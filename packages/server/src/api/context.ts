import type { TasksContext, VendorsContext } from "../tasks/context.ts";

export interface ApiContext extends TasksContext, VendorsContext {}
