import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, RouteHandlerMethod } from "fastify";
import type { Pool, PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { createSemaphore } from "../../semaphore.ts";
import { createGate } from "./gate.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The request waits for the account's row, so fewer of them may hold a connection at once. */
    locksAccount?: boolean;
  }
}

const waitingMax = 100;
const waitMsMax = 2_000;
/** The account id for work of this process that serves all accounts. */
const nobody = "";

/**
 * Bounds how many connections of the pool the requests of one account hold at once in this process:
 * half of them, and a quarter for requests that wait for the account's row. Further requests wait
 * briefly and are then refused, so that an account with slow or blocked queries delays only itself. A
 * request that waits for something else (a task, the storage) holds none. When accounts together need
 * more connections than there are, they are served in turn, and the last quarter is reserved for
 * accounts that hold none.
 */
export function boundAccounts(app: FastifyInstance, { pool, metrics }: Context) {
  const accounts = new AsyncLocalStorage<string>();
  const connectionsMax = Math.max(2, Math.floor(pool.options.max / 2));
  const refuse = (why: "full" | "slow") =>
    new ApiError(why === "full" ? "too_many_requests" : "account_busy", { retryAfterSeconds: 1 });
  const locksMax = Math.max(1, Math.floor(connectionsMax / 2));
  const locks = createGate({ atOnceMax: locksMax, waitingMax, waitMsMax }, refuse);
  const turns = createSemaphore({
    permitsMax: pool.options.max,
    permitsPerAccountMax: pool.options.max,
    sparePermits: Math.floor(pool.options.max / 4),
  });
  const connections = createGate({ atOnceMax: connectionsMax, waitingMax, waitMsMax }, refuse);

  let waiting = 0;
  metrics.poolWaiting.observe(() => [[waiting, { state: "turn" }]]);
  const take = (accountId: string) => {
    waiting += 1;
    const turn = { accountId, waitMsMax: pool.options.connectionTimeoutMillis ?? waitMsMax };
    return turns.take(turn).finally(() => {
      waiting -= 1;
    });
  };

  const bounded = new WeakSet<RouteHandlerMethod>();
  app.addHook("onRoute", (route) => {
    const { handler, config } = route;
    if (config?.isPublic || bounded.has(handler)) return; // GET and its HEAD share one
    route.handler = function (request, reply) {
      const id = request.caller?.id ?? request.session.personId; // staff, and people without an account
      const run = async () => handler.call(this, request, reply);
      return accounts.run(id, () => (config?.locksAccount ? locks.use(id, run) : run()));
    };
    bounded.add(route.handler);
  });

  boundPool(pool, async () => {
    const accountId = accounts.getStore();
    if (accountId === undefined) return take(nobody);
    const leave = await connections.enter(accountId);
    try {
      const giveBack = await take(accountId);
      return () => {
        giveBack();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  });
  return {
    /** For work that serves many accounts, whichever request started it. */
    forAll: <Result>(work: () => Result): Result => accounts.exit(work),
  };
}

type Taken = (fault: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/** Connects only after `enter`, and leaves when the connection is released. */
function boundPool(pool: Pool, enter: () => Promise<() => void>): void {
  const connect: () => Promise<PoolClient> = pool.connect;
  const leaves = new WeakMap<PoolClient, () => void>();

  async function take(): Promise<PoolClient> {
    const leave = await enter();
    try {
      const client = await connect.call(pool);
      leaves.set(client, leave);
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
  pool.on("release", (_fault, client) => leaves.get(client)?.());
  Object.assign(pool, {
    /** With a callback, the caller is the pool's own `query`. */
    connect(taken?: Taken): Promise<PoolClient> | undefined {
      if (taken === undefined) return take();
      take().then(
        (client) => taken(undefined, client, client.release),
        (error) => taken(error, undefined, () => {}),
      );
      return undefined;
    },
  });
}
