import { isLastSeen } from "./preferences.ts";
import type { Watch } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

const retryMs = 1_000;

const streamTimes = {
  /** Keeps what stands between us and the client from closing a silent connection. */
  commentEveryMs: 15_000,
  /** Then the client comes again, maybe to another process. */
  streamMsMax: 15 * 60_000,
};
export type StreamTimes = typeof streamTimes;

/**
 * Tells every state of a task as an event until it is over, beginning with the one it is in unless the
 * client has that. `write` says whether somebody still reads.
 */
export async function streamTask(
  watch: Watch,
  first: TaskState,
  lastEventId: string | undefined,
  write: (text: string) => Promise<boolean>,
  times: Partial<StreamTimes> = {},
): Promise<void> {
  const { commentEveryMs, streamMsMax } = { ...streamTimes, ...times };
  const endsAt = performance.now() + streamMsMax;
  const event = isLastSeen(lastEventId, first.version) ? "\n" : eventOf(first);
  let state = first;
  let isRead = await write(`retry: ${retryMs}\n${event}`);
  while (isRead && !isOver(state) && performance.now() < endsAt) {
    const changed = await watch.change(state.version, commentEveryMs);
    if (watch.isRevoked() || (changed === null && watch.hasEnded())) return;
    state = changed ?? state;
    isRead = await write(changed === null ? ":\n\n" : eventOf(changed));
  }
}

function eventOf({ version, view }: TaskState): string {
  return `id: ${version}\nevent: status\ndata: ${JSON.stringify(view)}\n\n`;
}
