import { matchesEtag } from "../http/etag.ts";
import type { KnownState } from "./known-states.ts";
import type { Subscription } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

/** Refuses what is not the client's. */
type Check = <State extends KnownState>(state: State | undefined) => State;

interface Reached {
  state: TaskState;
  isChanged: boolean;
}

/**
 * The next state of a task that the client does not know, or after `msMax` its current state. Without
 * `ifNoneMatch` the client is assumed to know the current state. `null`: the client has disconnected.
 */
export async function awaitChange(
  subscription: Subscription,
  { ifNoneMatch, msMax, check }: { ifNoneMatch: string | undefined; msMax: number; check: Check },
): Promise<Reached | null> {
  const begun = await begin(subscription, ifNoneMatch, check);
  if (begun === null || "state" in begun) return begun;
  const { version } = begun;
  const changed = await subscription.change(version, msMax);
  if (subscription.isClosed()) return null;
  // A notification may have been lost: the final state is read again.
  const last = changed ?? (await subscription.read());
  if (subscription.isClosed()) return null;
  const state = check(last);
  return { state, isChanged: state.version !== version };
}

/**
 * A separate function, so that the state that it reads is not kept while the client waits for one with
 * another version.
 */
async function begin(
  subscription: Subscription,
  ifNoneMatch: string | undefined,
  check: Check,
): Promise<{ version: string } | Reached | null> {
  const known = subscription.known();
  if (known !== undefined && matchesEtag(ifNoneMatch, known.version))
    return { version: check(known).version };
  const read = await subscription.read();
  if (subscription.isClosed()) return null; // then nothing was read, and nobody is there to be refused
  const state = check(read);
  const isKnown = ifNoneMatch === undefined || matchesEtag(ifNoneMatch, state.version);
  return isOver(state) || !isKnown ? { state, isChanged: !isKnown } : { version: state.version };
}
