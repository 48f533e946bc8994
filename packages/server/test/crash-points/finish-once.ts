import assert from "node:assert";
import { flushCompileCache } from "node:module";
import { openConnections } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import { createSignal } from "../../src/flow/signal.ts";
import { viewGenerationTask } from "../../src/generation/task-view.ts";
import { createAnnouncer } from "../../src/live/announce-changes.ts";
import { createLog } from "../../src/log.ts";
import { createSilentMetrics } from "../../src/metrics/silent-metrics.ts";
import { readConfig } from "../../src/settings/config.ts";
import { readEnvironment } from "../../src/settings/environment.ts";
import { finishTask } from "../../src/tasks/finish-task.ts";
import { endings } from "../harness/endings.ts";
import { readTaskId } from "../harness/named-ids.ts";

// A process to be killed while it finishes a task: node finish-once.ts <task> COMPLETED|FAILED
// It opens only what that takes: loading the rest would be most of its work, and there are many.
const [taskId, status] = process.argv.slice(2);
assert(taskId !== undefined && (status === "COMPLETED" || status === "FAILED"));
const config = readConfig(readEnvironment());
const { url, connectionsMax } = config.database;
const log = createLog(config.logLevel, "finish");
const pool = openConnections(url, connectionsMax, "zoetrope finish");
const ctx = {
  config,
  log,
  pool,
  db: openDatabase(pool),
  changes: createAnnouncer(pool, log),
  metrics: createSilentMetrics().metrics,
  deliverySignal: createSignal(),
  viewTask: viewGenerationTask,
};
flushCompileCache(); // it is not going to exit, and the next one need not compile again
await finishTask(ctx, readTaskId(taskId), endings[status]);
await ctx.changes.close();
await ctx.db.destroy();
