import type { FastifyInstance } from "fastify";
import type { AccountId } from "../ids.ts";
import { createAccountStreams } from "../live/account/account-streams.ts";
import { readUpdates } from "../live/account/read-updates.ts";
import type { Live } from "../live/routes.ts";
import { createSubscriptions } from "../live/subscriptions.ts";
import type { TasksContext } from "../tasks/context.ts";
import { readStates } from "../upscale/read-states.ts";
import { forAll } from "./limits/bound-accounts.ts";

/** The subscriptions of this process: open while it listens, drained before it stops. */
export function openLive(
  app: FastifyInstance,
  ctx: TasksContext,
  given: Partial<Live>,
  onMoved: (accountId: AccountId) => void,
): Live {
  const subscriptions =
    given.subscriptions ??
    createSubscriptions(ctx, (taskIds) => forAll(() => readStates(ctx, taskIds)), {}, onMoved);
  const accounts =
    given.accounts ??
    createAccountStreams(ctx, subscriptions, (questions) =>
      forAll(() => readUpdates(ctx, (taskIds) => readStates(ctx, taskIds), questions)),
    );
  app.addHook("onListen", async () => subscriptions.open());
  app.addHook("preClose", async () => subscriptions.drain());
  app.addHook("onClose", () => subscriptions.close());
  return { streams: {}, ...given, subscriptions, accounts };
}
