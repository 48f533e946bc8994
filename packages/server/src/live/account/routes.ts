import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { ApiError } from "../../errors.ts";
import { refusals } from "../../http/error-answers.ts";
import { languageOfRequest } from "../../http/in-language.ts";
import { readEvents } from "../../webhooks/read-events.ts";
import { eventsAnswer, eventsQuery } from "../../webhooks/schema.ts";
import { wantsStream } from "../preferences.ts";
import { type Live, retryAfterSeconds, streamHeaders } from "../routes.ts";
import { streamTimes } from "../stream-task.ts";
import { writeTo } from "../write-to.ts";
import { streamAccount } from "./stream-account.ts";

const eventHeaders = z.object({
  "last-event-id": z.string().optional().meta({
    description: "For event streams: the id of the last received event. Counts instead of `after`.",
  }),
});

const eventStream = z.string().meta({
  description:
    "For `Accept: text/event-stream`. Sends changes of all tasks of the account as server-sent events. `event` is `status` and `data` an event as in the list. An end has its number as `id`; a step on the way has no id and `number` null. `ready` follows when everything after the given number was sent. The stream ends after 15 minutes at the latest; reconnect with Last-Event-ID.",
});

/** The ends of an account's tasks in order, as a list; or as a stream, with the steps on the way. */
export function eventRoutes(ctx: Context, live: Live): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/api/v1/events",
      {
        config: { scope: "webhooks" },
        schema: {
          operationId: "readEvents",
          summary: "List events in order, or follow them",
          description:
            "Every end of a task in the order of the commits, with or without a callback, for 30 days by default. Store `next` with what you made of the events, and send it as `after` to continue. `Accept: text/event-stream` follows them, with the steps of running tasks.",
          tags: ["webhooks"],
          querystring: eventsQuery,
          headers: eventHeaders,
          response: {
            200: {
              description: "Events.",
              content: {
                "application/json": { schema: eventsAnswer },
                "text/event-stream": { schema: eventStream },
              },
            },
            ...refusals(400, 401, 403, 429, 500),
          },
        },
      },
      async (request, reply) => {
        reply.header("Vary", "Accept, Accept-Language");
        if (request.method !== "GET" || !wantsStream(request.raw.headers.accept))
          return reply.send(await readEvents(ctx, request.caller, request.query));
        const last = readLastEventId(request.headers["last-event-id"]);
        return answerStream(live, request, reply, last ?? request.query.after ?? null);
      },
    );
  };
}

/** Returns the id that the browser received last; null if it is not a number of this service. */
function readLastEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function answerStream(
  { accounts, streams }: Live,
  request: FastifyRequest,
  reply: FastifyReply,
  position: number | null,
) {
  const stream = accounts.open(request.caller, position);
  if (stream.kind === "full") {
    const code = stream.limit === "process" ? "streams_full" : "too_many_streams";
    throw new ApiError(code, { retryAfterSeconds });
  }
  reply.raw.once("close", stream.close);
  try {
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders }))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const { unreadMsMax } = { ...streamTimes, ...streams };
    const write = (text: string) => writeTo(reply.raw, text, unreadMsMax);
    await streamAccount(stream, write, { ...streams, language: languageOfRequest(request) });
    reply.raw.end();
  } finally {
    stream.close();
  }
  return reply;
}
