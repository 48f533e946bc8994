import { hashApiKey } from "../accounts/api-key.ts";
import { type Caller, findCallers } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { createBatch } from "../flow/batch.ts";
import { takeOldest } from "../flow/take-oldest.ts";
import type { AccountId } from "../ids.ts";
import { forAll } from "./limits/bound-accounts.ts";
import { shareByAddress } from "./limits/share-by-address.ts";

const rememberedMax = 10_000;
/** Keys that one query looks up. */
const lookupsMax = 200;
/**
 * The limits on unknown keys. After a deploy all keys are unknown, and those of a company may come from one
 * address.
 */
const unknownLimits = {
  permitsPerOwnerMax: 20,
  waitingPerOwnerMax: 5_000,
  waitMsMax: 10_000,
};

export interface CallerMemory {
  rememberKeyMs: number;
  /** The time for which an unknown key is cached as unknown, even if it is created meanwhile. */
  rememberUnknownKeyMs: number;
}

interface Sender {
  address: string;
  /** The key does not exist. Counts against the address, and throws if it sent too many of them. */
  onUnknown(): void;
}

export type Callers = ReturnType<typeof findCallerOnce>;

/**
 * Finds the caller of a key in memory, or with one query for all keys that are asked for at the same moment.
 * A key in use is looked up again before its time is over, so that its requests do not wait. A revoked or
 * expired key can read a little longer, but it cannot spend: accepting a task checks the key again. Only keys that do not exist are counted: a valid one is looked up, however many
 * others its address sent.
 */
export function findCallerOnce(ctx: Context, memory: CallerMemory) {
  const callers = new Map<string, { caller: Caller; until: number }>();
  const unknown = new Map<string, number>();
  const inFlight = new Map<string, Promise<Caller | undefined>>();
  /** Guesses wait behind each other, never before a key that was found before. */
  const batches = { known: createLookups(ctx), unknown: createLookups(ctx) };
  const strangers = shareByAddress(lookupsMax, unknownLimits);

  async function lookUp(name: string, hash: Buffer, kind: keyof typeof batches) {
    const caller = await batches[kind](hash);
    callers.delete(name);
    unknown.delete(name);
    if (caller === undefined) put(unknown, name, performance.now() + memory.rememberUnknownKeyMs);
    else if (caller.movedTo === null || caller.movedTo === undefined)
      put(callers, name, { caller, until: performance.now() + memory.rememberKeyMs }); // who sends it on remembers where to
    return caller;
  }

  function shareLookUp(name: string, hash: Buffer, stranger: Sender | null) {
    const started =
      stranger === null
        ? lookUp(name, hash, "known")
        : strangers.use({ owner: stranger.address }, () => lookUp(name, hash, "unknown"));
    const shared = started.finally(() => inFlight.delete(name));
    inFlight.set(name, shared);
    return shared;
  }

  /** It has moved: its keys are looked up again. */
  function forget(accountId: AccountId): void {
    for (const [name, { caller }] of callers) if (caller.id === accountId) callers.delete(name);
  }

  async function find(key: string, sender: Sender): Promise<Caller | undefined> {
    const hash = hashApiKey(key);
    const name = hash.toString("latin1");
    const known = callers.get(name);
    const leftMs = (known?.until ?? 0) - performance.now();
    if (known !== undefined && leftMs > 0) {
      if (leftMs < memory.rememberKeyMs / 2 && !inFlight.has(name))
        shareLookUp(name, hash, null).catch(() => {}); // the next request tries again
      return known.caller;
    }
    const isUnknown = (unknown.get(name) ?? 0) > performance.now();
    const stranger = known === undefined ? sender : null; // who was known before waits for nobody's guesses
    const caller = isUnknown
      ? undefined
      : await (inFlight.get(name) ?? shareLookUp(name, hash, stranger));
    if (caller === undefined) sender.onUnknown();
    return caller;
  }
  return { find, forget };
}

/** One query at a time, for all that came while the one before ran. */
function createLookups({ pool }: Context) {
  return createBatch<Buffer, Caller | undefined>({
    rowsMax: lookupsMax,
    keyOf: (hash) => hash.toString("latin1"),
    run: (hashes) => forAll(() => findCallers(pool, hashes)),
  });
}

function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value);
  if (map.size > rememberedMax) takeOldest(map, 1);
}
