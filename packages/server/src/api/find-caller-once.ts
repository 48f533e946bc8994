import { hashApiKey } from "../accounts/api-key.ts";
import { type Caller, findCaller } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../errors.ts";
import { createGate } from "./limits/gate.ts";

const rememberedMax = 10_000;
/** Of keys never seen before, in this process. Guessing must leave the pool to customers. */
const lookups = { waitingMax: 200, waitMsMax: 2_000 };

export interface CallerMemory {
  rememberKeyMs: number;
  /** How long a key stays unknown after it was looked up in vain: also one that was created since. */
  rememberUnknownKeyMs: number;
}

/** What a lookup costs somebody who may be a stranger: charged before it, given back if the key is good. */
interface Stranger {
  charge(): void;
  refund(): void;
}

/**
 * Finds out whose key this is with at most one query per key at a time, and none for what is
 * remembered. What it costs: a revoked or expired key can read a while longer. It cannot spend:
 * accepting a task looks at the key again.
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
    else put(callers, name, { caller, until: performance.now() + memory.rememberKeyMs });
    return caller;
  }

  function shareLookUp(name: string, hash: Buffer, wasKnown: boolean) {
    const started = wasKnown ? lookUp(name, hash) : gate.use("", () => lookUp(name, hash));
    const shared = started.finally(() => inFlight.delete(name));
    inFlight.set(name, shared);
    return shared;
  }

  return async (key: string, stranger: Stranger): Promise<Caller | undefined> => {
    const hash = hashApiKey(key);
    const name = hash.toString("latin1");
    const known = callers.get(name);
    if (known !== undefined && known.until > performance.now()) return known.caller;
    const shared = inFlight.get(name);
    if (shared !== undefined) {
      const caller = await shared;
      if (caller === undefined) stranger.charge();
      return caller;
    }
    if (known !== undefined) return shareLookUp(name, hash, true); // pays for no neighbour's guesses
    stranger.charge();
    if ((unknown.get(name) ?? 0) > performance.now()) return undefined;
    const caller = await shareLookUp(name, hash, false).catch((error) => {
      if (!(error instanceof ApiError)) stranger.refund(); // the database's fault, not the caller's
      throw error;
    });
    if (caller !== undefined) stranger.refund();
    return caller;
  };
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value);
  if (map.size > rememberedMax) map.delete(map.keys().next().value ?? "");
}
