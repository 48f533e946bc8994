import { isLastSeen } from "./preferences.ts";
import type { Subscription } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

const retryMs = 1_000;

export const streamTimes = {
  /** Keeps proxies from closing a silent connection. */
  commentEveryMs: 15_000,
  /** Then the client reconnects, perhaps to another process. */
  streamMsMax: 15 * 60_000,
  /** How long a client may leave sent data unread. */
  unreadMsMax: 30_000,
};
export type StreamTimes = typeof streamTimes;

/**
 * Sends every state of a task as an event until it has ended, starting with the current one unless the
 * client has it. `write` returns whether the client still reads.
 */
export async function streamTask(
  subscription: Subscription,
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
    const changed = await subscription.change(state.version, commentEveryMs);
    if (subscription.isRevoked() || (changed === null && subscription.hasEnded())) return;
    state = changed ?? state;
    isRead = await write(changed === null ? ":\n\n" : eventOf(changed));
  }
}

function eventOf({ version, view }: TaskState): string {
  return `id: ${version}\nevent: status\ndata: ${JSON.stringify(view)}\n\n`;
}
