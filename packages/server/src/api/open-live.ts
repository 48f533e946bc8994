import type { FastifyInstance } from "fastify";
import type { AccountId } from "../ids.ts";
import { createAccountStreams } from "../live/account/account-streams.ts";
import { readNews } from "../live/account/read-news.ts";
import type { Live } from "../live/routes.ts";
import { createSubscriptions } from "../live/subscriptions.ts";
import type { TasksContext } from "../tasks/context.ts";
import { readStates } from "../upscale/read-states.ts";

/** The subscriptions of this process: open while it listens, drained before it stops. */
export function openLive(
  app: FastifyInstance,
  ctx: TasksContext,
  given: Partial<Live>,
  forAll: <Result>(work: () => Result) => Result,
  onMoved: (accountId: AccountId) => void,
): Live {
  const subscriptions =
    given.subscriptions ??
    createSubscriptions(ctx, (taskIds) => forAll(() => readStates(ctx, taskIds)), {}, onMoved);
  const accounts =
    given.accounts ??
    createAccountStreams(ctx, subscriptions, (questions) =>
      forAll(() => readNews(ctx, (taskIds) => readStates(ctx, taskIds), questions)),
    );
  app.addHook("onListen", async () => subscriptions.open());
  app.addHook("preClose", async () => subscriptions.drain());
  app.addHook("onClose", () => subscriptions.close());
  return { streams: {}, ...given, subscriptions, accounts };
}
