import type { Language } from "../errors.ts";
import { taskIn } from "../http/in-language.ts";
import type { KnownState } from "./known-states.ts";
import { isLastSeen } from "./preferences.ts";
import type { Subscription } from "./subscription.ts";
import { isOver, type TaskState } from "./task-state.ts";

const retryMs = 1_000;

export const streamTimes = {
  /** Keeps proxies from closing a silent connection. */
  commentEveryMs: 15_000,
  /** Then the client reconnects, perhaps to another process. */
  streamMsMax: 15 * 60_000,
  /** The maximum time for which a client may leave sent data unread. */
  unreadMsMax: 30_000,
};
export type StreamTimes = typeof streamTimes;

/** The state of what a client has been sent: as little as possible, because thousands of streams wait. */
export interface Sent {
  version: string;
  isOver: boolean;
}

/** Returns whether the client still reads. */
type Write = (text: string) => Promise<boolean>;

/** Sends the state that a stream begins with. `null`: the client does not read. */
export async function beginStream(
  { kind, state }: FirstState,
  write: Write,
  language: Language,
): Promise<Sent | null> {
  const event = kind === "seen" ? "\n" : eventOf(state, language);
  const isRead = await write(`retry: ${retryMs}\n${event}`);
  return isRead ? { version: state.version, isOver: isOver(state) } : null;
}

/** Sends every later state of a task as an event until it has ended. */
export async function streamChanges(
  subscription: Subscription,
  sent: Sent,
  write: Write,
  { language = "en", ...times }: Partial<StreamTimes> & { language?: Language } = {},
): Promise<void> {
  const { commentEveryMs, streamMsMax } = { ...streamTimes, ...times };
  const endsAt = performance.now() + streamMsMax;
  let { version } = sent;
  let hasEnded = sent.isOver;
  let isRead = true;
  let changed: TaskState | null = null;
  while (isRead && !hasEnded && performance.now() < endsAt) {
    changed = await subscription.change(version, commentEveryMs);
    if (subscription.isRevoked() || (changed === null && subscription.hasEnded())) return;
    if (changed !== null) {
      ({ version } = changed);
      hasEnded = isOver(changed);
    }
    isRead = await write(changed === null ? ":\n\n" : eventOf(changed, language));
    changed = null; // not kept while the client waits
  }
}

/** The first state of a stream: one that the client does not have, or one that it has. */
export type FirstState = { kind: "unseen"; state: TaskState } | { kind: "seen"; state: KnownState };

/** Reads the task, unless the client comes back with the version that is known. `null`: it has disconnected. */
export async function findFirst(
  subscription: Subscription,
  lastEventId: string | undefined,
  check: <State extends KnownState>(state: State | undefined) => State,
): Promise<FirstState | null> {
  const known = subscription.known();
  if (known !== undefined && isLastSeen(lastEventId, known.version))
    return { kind: "seen", state: check(known) };
  const read = await subscription.read();
  if (subscription.isClosed()) return null;
  const state = check(read);
  return { kind: isLastSeen(lastEventId, state.version) ? "seen" : "unseen", state };
}

function eventOf({ version, view }: TaskState, language: Language): string {
  const data = JSON.stringify(taskIn(view, language));
  return `id: ${version}\nevent: status\ndata: ${data}\n\n`;
}
