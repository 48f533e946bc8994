import { hashApiKey } from "../accounts/api-key.ts";
import { type Caller, findCaller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { takeOldest } from "../take-oldest.ts";
import { createGate } from "./limits/gate.ts";

const rememberedMax = 10_000;
/** Concurrent lookups of unknown keys in this process. Guessing keys must not exhaust the pool. */
const lookups = { waitingMax: 200, waitMsMax: 2_000 };

export interface CallerMemory {
  rememberKeyMs: number;
  /** How long an unknown key is cached as unknown, even if it is created meanwhile. */
  rememberUnknownKeyMs: number;
}

/**
 * The budget of failed authentications of an address: charged before a lookup, refunded if the key is
 * valid.
 */
interface FailureBudget {
  charge(): void;
  refund(): void;
}

export type Callers = ReturnType<typeof findCallerOnce>;

/**
 * Finds the caller of a key with at most one query per key at a time, and none while it is cached. A
 * revoked or expired key can therefore read a little longer, but it cannot spend: accepting a task
 * checks the key again.
 */
export function findCallerOnce(ctx: Context, memory: CallerMemory) {
  const callers = new Map<string, { caller: Caller; until: number }>();
  const unknown = new Map<string, number>();
  const inFlight = new Map<string, Promise<Caller | undefined>>();
  const atOnceMax = Math.max(1, Math.floor(ctx.config.database.connectionsMax / 5));
  const gate = createGate(
    { ...lookups, atOnceMax },
    () => new ApiError("service_unavailable", { retryAfterSeconds: 1 }),
  );

  async function lookUp(name: string, hash: Buffer): Promise<Caller | undefined> {
    const caller = await findCaller(ctx.pool, hash);
    callers.delete(name);
    unknown.delete(name);
    if (caller === undefined) put(unknown, name, performance.now() + memory.rememberUnknownKeyMs);
    else if (caller.movedTo === null || caller.movedTo === undefined)
      put(callers, name, { caller, until: performance.now() + memory.rememberKeyMs }); // who sends it on remembers where to
    return caller;
  }

  function shareLookUp(name: string, hash: Buffer, wasKnown: boolean) {
    const started = wasKnown ? lookUp(name, hash) : gate.use("", () => lookUp(name, hash));
    const shared = started.finally(() => inFlight.delete(name));
    inFlight.set(name, shared);
    return shared;
  }

  /** It has moved: its keys are looked up again. */
  function forget(accountId: AccountId): void {
    for (const [name, { caller }] of callers) if (caller.id === accountId) callers.delete(name);
  }

  async function find(key: string, budget: FailureBudget): Promise<Caller | undefined> {
    const hash = hashApiKey(key);
    const name = hash.toString("latin1");
    const known = callers.get(name);
    if (known !== undefined && known.until > performance.now()) return known.caller;
    const shared = inFlight.get(name);
    if (shared !== undefined) {
      const caller = await shared;
      if (caller === undefined) budget.charge();
      return caller;
    }
    if (known !== undefined) return shareLookUp(name, hash, true); // a cached key never pays for the guesses of others behind the same address
    budget.charge();
    if ((unknown.get(name) ?? 0) > performance.now()) return undefined;
    const caller = await shareLookUp(name, hash, false).catch((error) => {
      if (!(error instanceof ApiError)) budget.refund(); // a failure of the database is not charged
      throw error;
    });
    if (caller !== undefined) budget.refund();
    return caller;
  }
  return { find, forget };
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value);
  if (map.size > rememberedMax) takeOldest(map, 1);
}
