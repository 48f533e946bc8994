import type { FastifyInstance } from "fastify";
import type { Live } from "../live/routes.ts";
import { createSubscriptions } from "../live/subscriptions.ts";
import type { TasksContext } from "../tasks/context.ts";
import { readStates } from "../upscale/read-states.ts";

/** The waiting room of this process: open while it listens, and emptied before it stops. */
export function openLive(
  app: FastifyInstance,
  ctx: TasksContext,
  given: Partial<Live>,
  forAll: <Result>(work: () => Result) => Result,
): Live {
  const room =
    given.room ?? createSubscriptions(ctx, (taskIds) => forAll(() => readStates(ctx, taskIds)));
  app.addHook("onListen", async () => room.open());
  app.addHook("preClose", async () => room.drain());
  app.addHook("onClose", () => room.close());
  return { streams: {}, ...given, room };
}
