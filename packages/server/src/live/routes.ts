import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../accounts/queries.ts";
import type { TaskKind } from "../engine/waker.ts";
import { ApiError } from "../errors.ts";
import { refusals } from "../http/error-answers.ts";
import { etagOf, matchesEtag } from "../http/etag.ts";
import { parseId, type TaskId } from "../ids.ts";
import { requireOwn } from "../tasks/require-own.ts";
import type { AccountStreams } from "./account/account-streams.ts";
import { awaitChange } from "./await-change.ts";
import { isLastSeen, readWait, wantsStream } from "./preferences.ts";
import { eventStream, type LiveHeaders, liveHeaders, nothingMore, notModified } from "./schema.ts";
import { type StreamTimes, streamTask, streamTimes } from "./stream-task.ts";
import type { Subscription } from "./subscription.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { isOver, type TaskState } from "./task-state.ts";
import { writeTo } from "./write-to.ts";

export const retryAfterSeconds = 5;

export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no", // a buffering proxy would hold back events
  connection: "close", // of no use for anything else, and a draining server waits for it
};

/** The subscriptions, and how long streams are silent and last. */
export interface Live {
  subscriptions: Subscriptions;
  accounts: AccountStreams;
  streams: Partial<StreamTimes>;
}

interface LiveRoute {
  url: string;
  kind: TaskKind;
  describe: { operationId: string; summary: string; tags: string[] };
  querystring: z.ZodType;
  answer: z.ZodType;
  /** The plain query, of an id as it came. */
  read(caller: Caller, id: string): Promise<object>;
}

type LiveRequest = FastifyRequest<{ Querystring: { taskId: string }; Headers: LiveHeaders }>;

/** The query of a task: its state now, at its next change (`Prefer: wait`), or all of them as a stream. */
export function liveRoute(app: FastifyInstance, live: Live, route: LiveRoute): void {
  app.get<{ Querystring: { taskId: string }; Headers: LiveHeaders }>(
    route.url,
    {
      config: { scope: "tasks" },
      schema: {
        ...route.describe,
        querystring: route.querystring,
        headers: liveHeaders,
        response: {
          200: {
            description: "The task.",
            content: {
              "application/json": { schema: route.answer },
              "text/event-stream": { schema: eventStream },
            },
          },
          204: nothingMore,
          304: notModified,
          ...refusals(400, 401, 403, 404, 429, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const taskId = request.method === "GET" ? parseId<TaskId>(request.query.taskId) : undefined;
      reply.header("Vary", "Accept, Prefer");
      // What is not in this shard may be another account's in another one: the plain query knows.
      const refuse = async (error: unknown) => {
        if (error instanceof ApiError && error.code === "task_not_found")
          await route.read(request.caller, request.query.taskId);
        throw error;
      };
      if (taskId !== undefined && wantsStream(request.raw.headers.accept))
        return answerStream(live, route, request, reply, taskId).catch(refuse);
      const seconds = taskId === undefined ? null : readWait(request.headers.prefer);
      if (taskId !== undefined && seconds !== null) {
        const subscription = live.subscriptions.subscribe(request.caller, taskId);
        if (subscription.kind === "open")
          return answerLater(route, request, reply, { subscription, seconds }).catch(refuse);
      }
      const view = await route.read(request.caller, request.query.taskId);
      const version = etagOf(JSON.stringify(view));
      const isKnown = matchesEtag(request.headers["if-none-match"], version);
      return answer(reply, { view, version }, isKnown);
    },
  );
}

function answer(
  reply: FastifyReply,
  { view, version }: { view: object; version: string },
  isKnown: boolean,
) {
  reply.header("ETag", version).header("Cache-Control", "private, no-cache");
  return isKnown ? reply.code(304).send() : reply.send(view);
}

async function answerLater(
  route: LiveRoute,
  request: LiveRequest,
  reply: FastifyReply,
  { subscription, seconds }: { subscription: Subscription; seconds: number },
) {
  const ifNoneMatch = request.headers["if-none-match"];
  reply.raw.once("close", subscription.close);
  try {
    const reached = await awaitChange(subscription, {
      ifNoneMatch,
      msMax: seconds * 1_000,
      check: (found) => checkOwn(found, request.caller, route.kind),
    });
    if (reached === null) return reply.hijack(); // the client has disconnected
    if (subscription.isRevoked()) throw new ApiError("unauthorized");
    const { state, isChanged } = reached;
    reply.header("Preference-Applied", `wait=${seconds}`);
    if (subscription.hasEnded()) reply.header("Connection", "close"); // this process is draining: the client reconnects to another
    return answer(reply, state, ifNoneMatch !== undefined && !isChanged);
  } finally {
    subscription.close();
  }
}

async function answerStream(
  { subscriptions, streams }: Live,
  route: LiveRoute,
  request: LiveRequest,
  reply: FastifyReply,
  taskId: TaskId,
) {
  const { caller, headers } = request;
  const subscription = subscriptions.subscribe(caller, taskId);
  if (subscription.kind === "full") {
    await route.read(caller, taskId); // another account's task is refused as such
    const code = subscription.limit === "process" ? "streams_full" : "too_many_streams";
    throw new ApiError(code, { retryAfterSeconds });
  }
  reply.raw.once("close", subscription.close);
  try {
    const state = checkOwn(await subscription.read(), caller, route.kind);
    const lastEventId = headers["last-event-id"];
    if (isOver(state) && isLastSeen(lastEventId, state.version)) return reply.code(204).send();
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders }))
      if (value !== undefined) reply.raw.setHeader(name, value);
    const { unreadMsMax } = { ...streamTimes, ...streams };
    const write = (text: string) => writeTo(reply.raw, text, unreadMsMax);
    await streamTask(subscription, state, lastEventId, write, streams);
    reply.raw.end();
  } finally {
    subscription.close();
  }
  return reply;
}

function checkOwn(state: TaskState | undefined, caller: Caller, kind: TaskKind): TaskState {
  if (state === undefined) throw new ApiError("task_not_found");
  requireOwn(state.task, caller, kind);
  return state;
}
