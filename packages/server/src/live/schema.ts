import { z } from "zod";

export const liveHeaders = z.object({
  "if-none-match": z.string().optional().meta({
    description: "The ETag of an earlier answer: a 304 while the task has not changed since.",
  }),
  prefer: z.string().optional().meta({
    description:
      "`wait=N`, 1 to 60 seconds: answer when the task changes, or after N seconds. With If-None-Match a state other than that is answered at once.",
  }),
  "last-event-id": z.string().optional().meta({
    description:
      "Of an event stream: the id of the last event that arrived. The state it stands for is not sent again.",
  }),
});
export type LiveHeaders = z.output<typeof liveHeaders>;

export const eventStream = z.string().meta({
  description:
    "For `Accept: text/event-stream`. Every state of the task as a server-sent event: `id` is its ETag, `event` is `status`, `data` is the JSON of the plain answer. The stream ends with the task, or earlier: then ask again with Last-Event-ID.",
});

export const notModified = z
  .undefined()
  .meta({ description: "The caller has this state already." });
export const nothingMore = z
  .undefined()
  .meta({ description: "Of a stream: the task is over and Last-Event-ID is its last state." });
