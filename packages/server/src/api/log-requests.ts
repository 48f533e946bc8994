import type { FastifyReply, FastifyRequest } from "fastify";
import { type LoggedRequest, saveRequests } from "../accounts/requests/queries.ts";
import type { Context } from "../context.ts";
import type { ErrorCode } from "../errors.ts";
import { type LoggedRequestId, newId } from "../ids.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of a request that was refused or failed. */
    errorCode?: ErrorCode;
  }
}

const defaults = {
  saveEveryMs: 1_000,
  /** In one statement. */
  batchMax: 500,
  /** Between two saves, of one account: a busy one leaves room to others. */
  ofAccountMax: 100,
  /** What waits for the database; above half of it, only what failed. */
  waitingMax: 5_000,
};

export interface RequestLog {
  /** Never waits and never fails: it is called by every request. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Saves what waits. */
  close(): Promise<void>;
}

/**
 * Notes the requests of accounts, without bodies, addresses and query strings, and saves many at once beside
 * the requests. What does not fit within the bounds is left out and counted; a database that is away costs
 * lines, never a request.
 */
export function createRequestLog(
  { db, log }: Pick<Context, "db" | "log">,
  changes: Partial<typeof defaults> = {},
): RequestLog {
  const limits = { ...defaults, ...changes };
  const counts = new Map<string, number>();
  let waiting: LoggedRequest[] = [];
  let leftOut = 0;
  let saving: Promise<void> | null = null;

  function isRoom({ accountId, status }: LoggedRequest): boolean {
    const count = counts.get(accountId) ?? 0;
    const max = status >= 400 ? limits.waitingMax : limits.waitingMax / 2;
    if (count >= limits.ofAccountMax || waiting.length >= max) return false;
    counts.set(accountId, count + 1);
    return true;
  }

  async function saveAll(): Promise<void> {
    counts.clear();
    if (leftOut > 0) log.warn({ event: "request_log.left_out", requests: leftOut });
    leftOut = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batchMax);
      waiting = waiting.slice(limits.batchMax);
      await saveRequests(db, batch);
    }
  }

  /** One at a time: a slow database must not collect connections. */
  function save(): Promise<void> {
    saving ??= saveAll()
      .catch((error) => log.warn({ event: "request_log.lost", reason: String(error) }))
      .finally(() => {
        saving = null;
      });
    return saving;
  }

  const timer = setInterval(() => void save(), limits.saveEveryMs).unref();
  return {
    note(request, reply) {
      const line = request.isCrowdedOut ? null : lineOf(request, reply);
      if (line === null) return;
      if (isRoom(line)) waiting.push(line);
      else leftOut += 1;
    },
    async close() {
      clearInterval(timer);
      await save();
      await save(); // what came while the first was under way
    },
  };
}

/** Null: the request is of no account. */
function lineOf(request: FastifyRequest, reply: FastifyReply): LoggedRequest | null {
  const { caller, actor, method, errorCode = null } = request;
  const { url } = request.routeOptions; // never the URL itself: it can carry a token
  if (caller === undefined || actor === undefined || url === undefined) return null;
  const durationMs = Math.round(reply.elapsedTime);
  return {
    id: newId<LoggedRequestId>(0, Date.now() - durationMs),
    accountId: caller.id,
    keyId: actor.kind === "key" ? actor.keyId : null,
    personId: actor.kind === "person" ? actor.personId : null,
    ...{ method, route: url, status: reply.statusCode, errorCode },
    ...{ requestId: request.id, durationMs },
  };
}
