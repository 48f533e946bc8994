import { text } from "node:stream/consumers";
import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type FaultyProxy, startFaultyProxy } from "@zoetrope/testkit/faulty-proxy.ts";
import { serve } from "@zoetrope/testkit/serve.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";

export interface TestService extends AsyncDisposable {
  /** A folder that is removed at the end. */
  readonly dir: string;
  /** Of the service behind a proxy that can spoil answers. */
  readonly url: string;
  /** Takes the orders of `tests/conftest.py`: a POST each, with JSON both ways. */
  readonly controlUrl: string;
}

/** A real stack for tests that run in another process. */
export async function startTestService(): Promise<TestService> {
  await using started = new AsyncDisposableStack();
  const scratch = started.use(await makeScratch("python"));
  const stack = started.use(
    await startStack({
      dir: scratch.path,
      serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "manual", REVIEW_VIDEO: "vendor" },
      sandboxEnv: { SANDBOX_DRAFT: "true" },
    }),
  );
  const proxy = started.use(await startFaultyProxy(7));
  proxy.target = stack.apiUrl;
  const orders = listOrders(stack, proxy);
  const control = started.use(
    await serve(async (request, response) => {
      const order = orders[(request.url ?? "/").slice(1)];
      const answer = await order?.(JSON.parse((await text(request)) || "{}")).catch(String);
      response.writeHead(typeof answer === "object" ? 200 : 500);
      response.end(JSON.stringify(answer ?? "no such order"));
    }),
  );
  const everything = started.move();
  return {
    dir: scratch.path,
    url: proxy.url,
    controlUrl: control.url,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

type Order = (given: Record<string, unknown>) => Promise<object>;

function listOrders(stack: Stack, proxy: FaultyProxy): Readonly<Record<string, Order>> {
  let apis = 1;
  return {
    "open-account": ({ credits, openTasksMax }) =>
      stack.openAccount({
        name: "python",
        credits: Number(credits),
        openTasksMax: Number(openTasksMax),
      }),
    "count-tasks": async ({ accountId }) => {
      const { rows } = await withClient(stack.databaseOwnerUrl, (db) =>
        db.query("select count(*)::int as tasks from tasks where account_id = $1", [accountId]),
      );
      return rows[0];
    },
    faults: async ({ share }) => {
      proxy.faults = Number(share);
      return {};
    },
    seen: async () => ({ ...proxy.seen, requests: proxy.seen.requests.length }),
    "stop-worker": async () => {
      await stack.worker.stop();
      return {};
    },
    "kill-api": async () => {
      await stack.api.kill();
      apis += 1;
      const another = await stack.startServer({ role: "api", name: `api-${apis}` });
      proxy.target = another.url;
      return {};
    },
  };
}
