import type { ModelsContext } from "../generation/context.ts";
import type { PeopleTools } from "../people/context.ts";
import type { TasksContext, VendorsContext } from "../tasks/context.ts";

export interface ApiContext extends TasksContext, VendorsContext, ModelsContext, PeopleTools {}
