import { z } from "zod";

export const liveHeaders = z.object({
  "if-none-match": z.string().optional().meta({
    description:
      "The ETag of an earlier response. Returns 304 while the task has not changed since.",
  }),
  prefer: z.string().optional().meta({
    description:
      "`wait=N`, 1 to 60 seconds: respond when the task changes, or after N seconds. With If-None-Match, respond immediately if the task differs from that ETag.",
  }),
  "last-event-id": z.string().optional().meta({
    description:
      "For event streams: the id of the last received event. That state is not sent again.",
  }),
});
export type LiveHeaders = z.output<typeof liveHeaders>;

export const eventStream = z.string().meta({
  description:
    "For `Accept: text/event-stream`. Sends every state of the task as a server-sent event: `id` is its ETag, `event` is `status`, `data` is the JSON of the plain response. The stream ends with the task, or earlier; reconnect with Last-Event-ID.",
});

export const notModified = z
  .undefined()
  .meta({ description: "Not modified since the given ETag." });
export const nothingMore = z.undefined().meta({
  description: "Event stream only: the task has ended and Last-Event-ID is its final state.",
});

/** The part about waiting of the description of an operation that reads a task. */
export const waitingText =
  "`Prefer: wait=N` holds the request for up to 60 s until the task changes, `If-None-Match` with the `ETag` of a response gives a 304 while it has not, and `Accept: text/event-stream` streams the changes until the task is over.";
