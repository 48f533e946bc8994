import assert from "node:assert";
import { readConfig } from "../../src/config.ts";
import { readEnvironment } from "../../src/environment.ts";
import { openContext } from "../../src/open-context.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { endings } from "../harness/endings.ts";
import { readTaskId } from "../harness/named-ids.ts";

// A process to be killed while it finishes a task: node finish-once.ts <task> COMPLETED|FAILED
const [taskId, status] = process.argv.slice(2);
assert(taskId !== undefined && (status === "COMPLETED" || status === "FAILED"));
const ctx = openContext(readConfig(readEnvironment()), "finish");
await finishTask(ctx, readTaskId(taskId), endings[status]);
await ctx.close();
