import { type ObjectContext, object } from "@restatedev/restate-sdk";
import { objectOptionsOf, retryPolicyOf } from "../engine/durable.ts";
import { serviceName } from "../engine/service-name.ts";
import { runTaskHandler } from "../tasks/task-object.ts";
import { pollTask, type RunStep, submitTask } from "./advance-task.ts";
import type { GenerationContext } from "./context.ts";

/**
 * The durable side of a generation, one object per task. No handler outlives its steps and none keeps
 * state: a waiting task is a row.
 */
export function generationObject(ctx: GenerationContext) {
  const handle = (advance: typeof submitTask) => (engine: ObjectContext) =>
    runTaskHandler(ctx, engine, async (taskId) => {
      await advance(ctx, taskId, stepsOf(engine), { mayTakeLong: true });
    });
  const retryPolicy = retryPolicyOf(ctx.config);
  const stepsOf = (engine: ObjectContext): RunStep => {
    const { attemptCompletedSignal } = engine.request();
    return (name, step) => engine.run(name, () => step(attemptCompletedSignal), retryPolicy);
  };
  return object({
    name: serviceName("generation", ctx.config.database.shard),
    handlers: {
      /** Woken by createTask or the sweep. */
      submit: handle(submitTask),
      /** Woken by the vendor's callback or the poller. */
      poll: handle(pollTask),
    },
    options: objectOptionsOf(ctx.config),
  });
}
