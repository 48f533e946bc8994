import type { Language } from "../../errors.ts";
import { taskIn } from "../../http/in-language.ts";
import type { EventRow } from "../../webhooks/event-queries.ts";
import { viewEvent } from "../../webhooks/read-events.ts";
import { type StreamTimes, streamTimes } from "../stream-task.ts";
import type { TaskState } from "../task-state.ts";
import type { AccountStream } from "./account-streams.ts";

const retryMs = 1_000;
/**
 * The maximum number of events replayed on one connection. Then the client reconnects and continues, so
 * that other streams are written to.
 */
const replayedEventsMax = 5_000;

/**
 * Sends every change of an account's tasks. Ends carry their event number as id, so that a client that
 * reconnects with the last one misses no end and gets none twice; steps on the way carry none. `write`
 * returns whether the client still reads; what is new is read only after it has.
 */
export async function streamAccount(
  stream: AccountStream,
  write: (text: string) => Promise<boolean>,
  { language = "en", ...times }: Partial<StreamTimes> & { language?: Language } = {},
): Promise<void> {
  const { commentEveryMs, streamMsMax } = { ...streamTimes, ...times };
  const endsAt = performance.now() + streamMsMax;
  let isReplaying = true;
  let replayed = 0;
  let isRead = await write(`retry: ${retryMs}\n\n`);
  while (isRead && performance.now() < endsAt) {
    const updates = await stream.next(commentEveryMs);
    if (stream.isRevoked() || (updates === null && stream.hasEnded())) return;
    if (updates === null) {
      isRead = await write(":\n\n");
      continue;
    }
    const { position, states, events, hasMore } = updates;
    const parts = [
      ...states.map((state) => renderStep(state, language)),
      ...events.map((event) => renderEnd(event, language)),
    ];
    replayed += events.length;
    if (isReplaying && !hasMore) {
      isReplaying = false;
      parts.push(`id: ${position}\nevent: ready\ndata: {"next":${position}}\n\n`);
    }
    isRead = await write(parts.join(""));
    if (isReplaying && replayed >= replayedEventsMax) return;
  }
}

function renderEnd(row: EventRow, language: Language): string {
  const { data, ...event } = viewEvent(row);
  const line = JSON.stringify({ ...event, data: taskIn(data, language) });
  return `id: ${row.number}\nevent: status\ndata: ${line}\n\n`;
}

function renderStep({ task, view }: TaskState, language: Language): string {
  const type = `${task.kind}.${task.status.toLowerCase()}`;
  const step = {
    number: null,
    type,
    webhookId: null,
    taskId: task.id,
    createdAt: null,
    data: taskIn(view, language),
  };
  return `event: status\ndata: ${JSON.stringify(step)}\n\n`;
}
