import assert from "node:assert";
import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { createSemaphore } from "../../flow/semaphore.ts";
import { personOf } from "../../ids.ts";
import { changesNothing } from "../scopes.ts";
import { clientAddressOf } from "./client-address.ts";
import { shareByAddress } from "./share-by-address.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The request waits for the account's row, so fewer of them may hold a connection at once. */
    locksAccount?: boolean;
  }
}

const waitingMax = 100;
const waitMsMax = 2_000;
/**
 * The owner of work of no single account: loops of this process, lookups, all strangers together, and
 * requests that serve many accounts at once.
 */
const nobody = "";
const strangers = "strangers";
const all = "all";

/** Whom a connection is for. */
type For = { accountId: string; isRead: boolean } | { address: string } | { isForAll: true };
const whom = new AsyncLocalStorage<For>();

/**
 * Runs work that serves many accounts, whichever request started it. It runs first, because all of them
 * wait for it. It must be gathered, one query for many of them, so that there is always little of it.
 */
export function forAll<Result>(work: () => Result): Result {
  return whom.run({ isForAll: true }, work);
}

/**
 * Bounds how many connections of the pool the requests of one account hold at once in this process:
 * half of them, and a quarter for requests that wait for the account's row. Further requests wait at most
 * two seconds and are then refused, so that an account with slow or blocked queries delays only itself.
 * Any number of reads may wait, also those by POST, whose bodies are a few ids; of the others, whose
 * bodies are in memory, a hundred. A request that waits for something else (a task, the storage) holds
 * none. When accounts together need more connections than there are, they are served in turn, and the
 * last quarter is reserved for accounts that hold none. Requests without a key hold a quarter together,
 * an address one, apart from the lookups of keys and sessions.
 */
export function boundAccounts(app: FastifyInstance, { pool, metrics }: Context): void {
  const connectionsMax = Math.max(2, Math.floor(pool.connectionsMax / 2));
  const refuse = () => new ApiError("account_busy", { retryAfterSeconds: 1 });
  const locksMax = Math.max(1, Math.floor(connectionsMax / 2));
  const bounds = { waitingPerOwnerMax: waitingMax, waitMsMax, refuse };
  const locks = createSemaphore({ permitsPerOwnerMax: locksMax, ...bounds });
  const turns = createSemaphore({
    permitsMax: pool.connectionsMax,
    permitsPerOwnerMax: pool.connectionsMax,
    sparePermits: Math.floor(pool.connectionsMax / 4),
    firstOwner: all,
  });
  const connections = createSemaphore({ permitsPerOwnerMax: connectionsMax, ...bounds });
  const addresses = shareByAddress(locksMax);

  let waiting = 0;
  metrics.poolWaiting.observe(() => [[waiting, { state: "turn" }]]);
  const take = (owner: string) => {
    waiting += 1;
    const entry = { owner, waitMsMax: pool.connectMsMax };
    return turns.take(entry).finally(() => {
      waiting -= 1;
    });
  };

  // Not around the handler: a client that waits would keep the context outside of it, too.
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.routeOptions.config.isPublic || request.is404)
      return whom.run({ address: clientAddressOf(request) }, done);
    const isRead = changesNothing(request);
    return whom.run({ accountId: asking(request), isRead }, done);
  });
  const bounded = new WeakSet<RouteHandlerMethod>();
  app.addHook("onRoute", (route) => {
    const { handler, config } = route;
    if (!config?.locksAccount || bounded.has(handler)) return; // GET and its HEAD share one
    route.handler = function (request, reply) {
      return locks.use({ owner: asking(request) }, async () => handler.call(this, request, reply));
    };
    bounded.add(route.handler);
  });

  pool.limit(async () => {
    const asker = whom.getStore();
    if (asker === undefined) return take(nobody);
    if ("isForAll" in asker) return take(all);
    const leave =
      "address" in asker
        ? await addresses.take({ owner: asker.address })
        : await connections.take({
            owner: asker.accountId,
            ...(asker.isRead && { waitingPerOwnerMax: Number.POSITIVE_INFINITY }),
          });
    try {
      const giveBack = await take("address" in asker ? strangers : asker.accountId);
      return () => {
        giveBack();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  });
}

/** The account, or the person: staff, with their service keys, and people without an account. */
function asking({ caller, actor }: FastifyRequest): string {
  const asker = caller?.id ?? personOf(actor);
  assert(asker !== null, "a request of no account is a person's");
  return asker;
}
