import { viewEvent } from "../../webhooks/read-events.ts";
import type { EventRow } from "../../webhooks/record.ts";
import { type StreamTimes, streamTimes } from "../stream-task.ts";
import type { TaskState } from "../task-state.ts";
import type { AccountStream } from "./account-streams.ts";

const retryMs = 1_000;
/** Of one connection: then the client reconnects and continues, so that others have their turn. */
const replayedEventsMax = 5_000;

/**
 * Sends every change of an account's tasks. Ends carry their event number as id, so that a client that
 * reconnects with the last one misses no end and gets none twice; steps on the way carry none. `write`
 * returns whether the client still reads; what is new is read only after it has.
 */
export async function streamAccount(
  stream: AccountStream,
  write: (text: string) => Promise<boolean>,
  times: Partial<StreamTimes> = {},
): Promise<void> {
  const { commentEveryMs, streamMsMax } = { ...streamTimes, ...times };
  const endsAt = performance.now() + streamMsMax;
  let isReplaying = true;
  let replayed = 0;
  let isRead = await write(`retry: ${retryMs}\n\n`);
  while (isRead && performance.now() < endsAt) {
    const news = await stream.next(commentEveryMs);
    if (stream.isRevoked() || (news === null && stream.hasEnded())) return;
    if (news === null) {
      isRead = await write(":\n\n");
      continue;
    }
    const { position, states, events, hasMore } = news;
    const parts = [...states.map(renderStep), ...events.map(renderEnd)];
    replayed += events.length;
    if (isReplaying && !hasMore) {
      isReplaying = false;
      parts.push(`id: ${position}\nevent: ready\ndata: {"next":${position}}\n\n`);
    }
    isRead = await write(parts.join(""));
    if (isReplaying && replayed >= replayedEventsMax) return;
  }
}

function renderEnd(row: EventRow): string {
  return `id: ${row.number}\nevent: status\ndata: ${JSON.stringify(viewEvent(row))}\n\n`;
}

function renderStep({ task, view }: TaskState): string {
  const type = `${task.kind}.${task.status.toLowerCase()}`;
  const step = {
    number: null,
    type,
    webhookId: null,
    taskId: task.id,
    createdAt: null,
    data: view,
  };
  return `event: status\ndata: ${JSON.stringify(step)}\n\n`;
}
