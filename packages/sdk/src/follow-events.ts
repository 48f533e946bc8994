import type { Event, ReadEventsAnswer } from "./generated.ts";
import { known, type Names } from "./known-options.ts";
import { openStream, pauseAfter } from "./open-stream.ts";
import { isPassing, type Signalled, sendForJson, type Transport } from "./transport.ts";

export interface EventsOptions extends Signalled {
  /** False: ends with the last event that there is. */
  follow?: boolean | undefined;
  /** Whether to yield also the steps of a task before its end. A step may be yielded twice or be left out. */
  steps?: boolean | undefined;
  /**
   * Called each time that the stream is open: data read from then on misses no change that was not
   * reported.
   */
  onOpen?: (() => void) | undefined;
}

export const eventsNames: Names<EventsOptions> = {
  ...known.signalled,
  follow: true,
  steps: true,
  onOpen: true,
};

/** An event of a task before its end. It is not numbered and not listed. */
export interface Step extends Omit<Event, "number" | "webhookId" | "createdAt"> {
  number: null;
  webhookId: null;
  createdAt: null;
}

const path = "/api/v1/events";
const eventsPerPage = 100;
/** The maximum number of failures in a row: a quarter of an hour. */
const failuresMax = 60;
const streamMsMin = 5_000;

/**
 * The ends of the account's tasks, in order, each once: those after the given number, then every new one
 * as it comes. Over a stream that is opened again where it broke; in between, and where no stream can be
 * had, from the pages of the record.
 */
export async function* followEvents(
  transport: Transport,
  after: number | null,
  { signal, follow = true, steps = false, onOpen }: EventsOptions,
): AsyncGenerator<Event | Step> {
  let position = after;
  if (!follow) return yield* readPages(transport, position ?? 0, signal);
  for (let failures = 0; ; ) {
    const openedAt = performance.now();
    let fault: unknown;
    try {
      const headers: Record<string, string> =
        position === null ? {} : { "last-event-id": String(position) };
      for await (const { event, data } of openStream(transport, { path, headers, signal })) {
        failures = 0;
        const message = JSON.parse(data) as Event | Step | { next: number };
        if (event === "ready" && "next" in message) {
          position = Math.max(position ?? 0, message.next);
          onOpen?.();
        }
        if (event !== "status" || "next" in message) continue;
        if (message.number === null && !steps) continue;
        if (message.number !== null && message.number <= (position ?? -1)) continue;
        position = message.number ?? position;
        yield message;
      }
      if (performance.now() - openedAt < streamMsMin) failures += 1;
    } catch (error) {
      fault = error;
      if (!isPassing(error) || ++failures > failuresMax) throw error;
    }
    // Without a position nothing was promised yet.
    if (fault !== undefined && position !== null)
      try {
        for await (const event of readPages(transport, position, signal)) {
          position = event.number;
          yield event;
        }
        failures = Math.min(failures, 3); // some seconds from page to page
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
    await pauseAfter(failures, fault, signal);
  }
}

async function* readPages(
  transport: Transport,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event> {
  for (let from = after; ; ) {
    const query = { after: from, limit: eventsPerPage };
    const call = { method: "GET" as const, path, query, signal };
    const page = await sendForJson<ReadEventsAnswer>(transport, call);
    yield* page.events;
    if (!page.hasMore) return;
    from = page.next;
  }
}
