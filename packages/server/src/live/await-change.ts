import { matchesEtag } from "../http/etag.ts";
import type { Subscription } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

/**
 * The next state of a task that the client does not know, or after `msMax` its current state. Without
 * `ifNoneMatch` the client is assumed to know the current state. `null`: the client has disconnected.
 */
export async function awaitChange(
  subscription: Subscription,
  {
    ifNoneMatch,
    msMax,
    check,
  }: {
    ifNoneMatch: string | undefined;
    msMax: number;
    check(state: TaskState | undefined): TaskState;
  },
): Promise<{ state: TaskState; isChanged: boolean } | null> {
  const first = check(await subscription.read());
  const isKnown = ifNoneMatch === undefined || matchesEtag(ifNoneMatch, first.version);
  if (isOver(first) || !isKnown) return { state: first, isChanged: !isKnown };
  const changed = await subscription.change(first.version, msMax);
  if (subscription.isClosed()) return null;
  // A notification may have been lost: the final state is read again.
  const state = changed ?? check(await subscription.read());
  return { state, isChanged: state.version !== first.version };
}
