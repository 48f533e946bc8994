import { matchesEtag } from "../http/etag.ts";
import type { Watch } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

/**
 * The next state of a task that the client does not know, or after `msMax` the one it is in. Without
 * `ifNoneMatch` the client is taken to know the state that the task is in now. `null`: it is gone.
 */
export async function awaitChange(
  watch: Watch,
  {
    ifNoneMatch,
    msMax,
    check,
  }: {
    ifNoneMatch: string | undefined;
    msMax: number;
    check(state: TaskState | undefined): TaskState;
  },
): Promise<{ state: TaskState; isNews: boolean } | null> {
  const first = check(await watch.read());
  const isKnown = ifNoneMatch === undefined || matchesEtag(ifNoneMatch, first.version);
  if (isOver(first) || !isKnown) return { state: first, isNews: !isKnown };
  const changed = await watch.change(first.version, msMax);
  if (watch.isClosed()) return null;
  // A change may have gone unheard: what is answered at the end was read at the end.
  const state = changed ?? check(await watch.read());
  return { state, isNews: state.version !== first.version };
}
