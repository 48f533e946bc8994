import type { FastifyReply, FastifyRequest } from "fastify";
import { type LoggedRequest, saveRequests } from "../accounts/requests/queries.ts";
import type { Context } from "../context.ts";
import type { ErrorCode } from "../errors.ts";
import { createWriteBehind } from "../flow/write-behind.ts";
import { type LoggedRequestId, newId } from "../ids.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The error code of a request that was refused or failed. */
    errorCode?: ErrorCode;
  }
}

const defaults = {
  waitMs: 1_000,
  rowsMax: 500,
  /** The number of requests of one account that are kept between two saves, so that others have room. */
  ofAccountMax: 100,
  /** Requests that wait for the database; above half of it, only what failed. */
  waitingMax: 5_000,
};

export interface RequestLog {
  note(request: FastifyRequest, reply: FastifyReply): void;
  close(): Promise<void>;
}

/**
 * Records the requests of accounts, without bodies, addresses and query strings. Requests that exceed the
 * bounds are left out and counted. An unreachable database costs lines of the log, never a request.
 */
export function createRequestLog(
  { db, log }: Pick<Context, "db" | "log">,
  changes: Partial<typeof defaults> = {},
): RequestLog {
  const { ofAccountMax, ...limits } = { ...defaults, ...changes };
  const counts = new Map<string, number>();
  let leftOut = 0;

  const requests = createWriteBehind<LoggedRequestId, LoggedRequest>({
    ...limits,
    save(rows) {
      counts.clear();
      if (leftOut > 0) log.warn({ event: "request_log.left_out", requests: leftOut });
      leftOut = 0;
      return saveRequests(db, rows);
    },
    lost: (rows, error) =>
      log.warn({ event: "request_log.lost", requests: rows.length, reason: String(error) }),
  });

  function isRoom({ accountId, status }: LoggedRequest): boolean {
    const count = counts.get(accountId) ?? 0;
    const max = status >= 400 ? limits.waitingMax : limits.waitingMax / 2;
    if (count >= ofAccountMax || requests.waiting() >= max) return false;
    counts.set(accountId, count + 1);
    return true;
  }

  return {
    note(request, reply) {
      const line = request.isCrowdedOut ? null : lineOf(request, reply);
      if (line === null) return;
      if (isRoom(line)) requests.note(line.id, line);
      else leftOut += 1;
    },
    close: () => requests.close(),
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
    method,
    route: url,
    status: reply.statusCode,
    errorCode,
    requestId: request.id,
    durationMs,
  };
}
