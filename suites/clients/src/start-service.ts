import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type ClientProxy, startProxy } from "./start-proxy.ts";

export interface Service extends AsyncDisposable {
  readonly stack: Stack;
  readonly proxy: ClientProxy;
}

/** A whole service with the sandbox that clients reach through a proxy, also for its files. */
export async function startService(dir: string): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const proxy = started.use(await startProxy(7));
  const stack = await startStack({
    dir,
    serverEnv: { POLL_FIRST_MS: "500", REVIEW_IMAGE: "manual", PUBLIC_URL: proxy.url },
    sandboxEnv: { SANDBOX_DRAFT: "true" },
  });
  started.use(stack);
  proxy.target = stack.apiUrl;
  const all = started.move();
  return { stack, proxy, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
