import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { type FaultyProxy, startFaultyProxy } from "@zoetrope/testkit/faulty-proxy.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { Zoetrope } from "../src/zoetrope.ts";

/** A whole service, and a proxy before it that counts requests and spoils some. */
export interface Bed extends AsyncDisposable {
  scratch: Scratch;
  stack: Stack;
  proxy: FaultyProxy;
  openAccount(account?: { credits?: number; openTasksMax?: number }): Promise<{ key: string }>;
  /** Opens a client of a new account, unless a key is given, through the proxy. */
  openClient(options?: ClientOptions): Promise<Zoetrope>;
}

interface ClientOptions {
  credits?: number;
  openTasksMax?: number;
  key?: string;
  fetch?: typeof fetch;
}

export async function openBed(): Promise<Bed> {
  const scratch = await makeScratch("sdk");
  const proxy = await startFaultyProxy(7);
  const stack = await startStack({
    dir: scratch.path,
    serverEnv: {
      POLL_FIRST_MS: "300",
      REVIEW_IMAGE: "manual",
      REVIEW_VIDEO: "vendor",
      PUBLIC_URL: proxy.url, // links to files lead through the proxy too
    },
    sandboxEnv: {
      SANDBOX_DRAFT: "true",
      SANDBOX_QUEUED_MS: "100",
      SANDBOX_RUNNING_MS: "200",
    },
  });
  proxy.target = stack.apiUrl;
  const openAccount: Bed["openAccount"] = (account = {}) =>
    stack.openAccount({ name: "sdk", credits: 10_000, ...account });
  return {
    scratch,
    stack,
    proxy,
    openAccount,
    async openClient({ key, fetch: given, ...account } = {}) {
      const apiKey = key ?? (await openAccount(account)).key;
      const baseUrl = `${proxy.url}/`;
      return new Zoetrope({ baseUrl, apiKey, fetch: given });
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await stack.stop();
      await scratch.remove();
    },
  };
}

/**
 * Begins something, aborts it once it waits, and returns whether it ended with the reason within 50
 * ms. A busy machine delays the timer as much as the end.
 */
export async function endsAtOnce(
  begin: (signal: AbortSignal) => Promise<unknown>,
  isWaiting: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const controller = new AbortController();
  const reason = new Error("enough");
  const outcome = begin(controller.signal).then(
    (value) => value,
    (error: unknown) => error,
  );
  await waitUntil("it waits", isWaiting, { timeoutMs: 60_000 });
  const late = delay(50, "late");
  controller.abort(reason);
  const ended = await Promise.race([outcome, late]);
  if (ended !== reason) throw new Error("not ended by the abort", { cause: ended });
  return true;
}
