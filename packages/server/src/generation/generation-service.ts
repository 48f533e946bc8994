import { type Context as Engine, service } from "@restatedev/restate-sdk";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";
import { batchService, type TaskHandler } from "../engine/waker.ts";
import type { TaskId } from "../ids.ts";
import { continueTrace } from "../tracing/trace-context.ts";
import { pollTask, type RunStep, submitTask } from "./advance-task.ts";
import type { GenerationContext } from "./context.ts";
import type { generationObject } from "./generation-object.ts";

/** Task ids, with the `traceparent` of what woke the task. */
type Woken = Record<string, string | null>;

const advances = { submit: submitTask, poll: pollTask };

/**
 * The handlers of many generations that were woken at the same moment, in one invocation. A task that
 * takes long goes on in an invocation of its own at once, one that fails when the others are done. After
 * a crash the engine repeats the invocation; what was done already is found in the rows.
 */
export function generationService(ctx: GenerationContext) {
  const retryPolicy = retryPolicyOf(ctx.config);
  const { shard } = ctx.config.database;
  const objectName = serviceName("generation", shard);
  const handle = (handler: TaskHandler) => async (engine: Engine, woken: Woken) => {
    const failed = await engine.run(
      `${handler} each`,
      () => advanceEach(ctx, handler, woken),
      retryPolicy,
    );
    for (const taskId of failed)
      engine
        .objectSendClient<ReturnType<typeof generationObject>>({ name: objectName }, taskId)
        [handler]();
  };
  return service({
    name: serviceName(batchService, shard),
    handlers: { submit: handle("submit"), poll: handle("poll") },
    options: objectOptionsOf(ctx.config),
  });
}

/** Returns the tasks that failed, which need an invocation of their own. */
export async function advanceEach(
  ctx: GenerationContext,
  handler: TaskHandler,
  woken: Woken,
): Promise<TaskId[]> {
  const failed: TaskId[] = [];
  const advance = async (taskId: TaskId) => {
    try {
      const isDone = await advances[handler](ctx, taskId, runAtOnce, { mayTakeLong: false });
      if (!isDone) ctx.waker.wakeAlone("generation", handler, taskId);
    } catch (error) {
      ctx.log.warn({ event: "task.left_batch", taskId, handler, reason: String(error) });
      failed.push(taskId);
    }
  };
  const tasks = Object.entries(woken) as [TaskId, string | null][]; // only wake-ups name them
  await Promise.all(
    tasks.map(([taskId, traceparent]) => continueTrace(traceparent, () => advance(taskId))),
  );
  return failed;
}

const runAtOnce: RunStep = (_name, step) => step();
