import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../accounts/queries.ts";
import type { TaskKind } from "../engine/waker.ts";
import { ApiError } from "../errors.ts";
import { refusals } from "../http/error-answers.ts";
import { etagOf, matchesEtag } from "../http/etag.ts";
import { languageOfRequest } from "../http/in-language.ts";
import { parseId, type TaskId } from "../ids.ts";
import { requireOwn } from "../tasks/require-own.ts";
import type { AccountStreams } from "./account/account-streams.ts";
import { awaitChange } from "./await-change.ts";
import type { KnownState } from "./known-states.ts";
import { readWait, wantsStream } from "./preferences.ts";
import { eventStream, type LiveHeaders, liveHeaders, nothingMore, notModified } from "./schema.ts";
import {
  beginStream,
  findFirst,
  type Sent,
  type StreamTimes,
  streamChanges,
  streamTimes,
} from "./stream-task.ts";
import type { Subscription } from "./subscription.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { isOver } from "./task-state.ts";
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
  describe: Record<"operationId" | "summary" | "description", string> & { tags: string[] };
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
    // Not async: what waits is the promise of `answerLater` or `answerStream` itself.
    (request, reply) => {
      const taskId = request.method === "GET" ? parseId<TaskId>(request.query.taskId) : undefined;
      // Whoever comes in a wave may have gone before its turn: nothing is done for it.
      if (request.raw.socket.destroyed) return reply.hijack();
      reply.header("Vary", "Accept, Prefer, Accept-Language");
      if (taskId !== undefined && wantsStream(request.raw.headers.accept))
        return answerStream(live, route, request, reply, taskId);
      const seconds = taskId === undefined ? null : readWait(request.headers.prefer);
      if (taskId !== undefined && seconds !== null) {
        const subscription = live.subscriptions.subscribe(request.caller, taskId);
        if (subscription.kind === "open")
          return answerLater(route, request, reply, { subscription, seconds });
      }
      return answerNow(route, request, reply);
    },
  );
}

async function answerNow(route: LiveRoute, request: LiveRequest, reply: FastifyReply) {
  const view = await route.read(request.caller, request.query.taskId);
  const version = etagOf(JSON.stringify(view));
  const isKnown = matchesEtag(request.headers["if-none-match"], version);
  return answer(reply, { view, version }, isKnown);
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
  reply.raw.on("close", () => subscription.close());
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
  } catch (error) {
    throw await faultOf(error, route, request);
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
  const { caller } = request;
  const subscription = subscriptions.subscribe(caller, taskId);
  if (subscription.kind === "full") {
    await route.read(caller, taskId); // another account's task is refused as such
    const code = subscription.limit === "process" ? "streams_full" : "too_many_streams";
    throw new ApiError(code, { retryAfterSeconds });
  }
  reply.raw.on("close", () => subscription.close());
  const { unreadMsMax } = { ...streamTimes, ...streams };
  const write = (text: string) => writeTo(reply.raw, text, unreadMsMax);
  try {
    const sent = await beginAnswer(subscription, route, request, reply, write);
    if (sent === null) return reply;
    await streamChanges(subscription, sent, write, {
      ...streams,
      language: languageOfRequest(request),
    });
    reply.raw.end();
  } finally {
    subscription.close();
  }
  return reply;
}

/**
 * A separate function, so that the state that it reads is not kept while the client waits. `null`: nothing
 * follows.
 */
async function beginAnswer(
  subscription: Subscription,
  route: LiveRoute,
  request: LiveRequest,
  reply: FastifyReply,
  write: (text: string) => Promise<boolean>,
): Promise<Sent | null> {
  const { caller, headers } = request;
  const first = await findFirst(subscription, headers["last-event-id"], (state) =>
    checkOwn(state, caller, route.kind),
  ).catch(async (error) => {
    throw await faultOf(error, route, request);
  });
  if (first === null) {
    reply.hijack();
    return null;
  }
  if (isOver(first.state) && first.kind === "seen") {
    reply.code(204).send();
    return null;
  }
  reply.hijack();
  const all = Object.entries({ ...reply.getHeaders(), ...streamHeaders });
  // In one call: headers that are set one by one are kept twice.
  reply.raw.writeHead(200, Object.fromEntries(all.filter(([, value]) => value !== undefined)));
  // Node keeps the head as it was put together, in dozens of parts, until it is written by itself.
  reply.raw.cork();
  reply.raw.flushHeaders();
  const begun = beginStream(first, write, languageOfRequest(request));
  reply.raw.uncork();
  return begun;
}

/**
 * Returns the error of a request. A task that is not in this shard may be another account's in another
 * shard, which the plain query can tell.
 */
async function faultOf(error: unknown, route: LiveRoute, request: LiveRequest): Promise<unknown> {
  if (error instanceof ApiError && error.code === "task_not_found")
    await route.read(request.caller, request.query.taskId);
  return error;
}

function checkOwn<State extends KnownState>(
  state: State | undefined,
  caller: Caller,
  kind: TaskKind,
): State {
  if (state === undefined) throw new ApiError("task_not_found");
  requireOwn(state.task, caller, kind);
  return state;
}
