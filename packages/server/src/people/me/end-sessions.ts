import { recordAudit } from "../../audit/record-audit.ts";
import type { DirectoryContext } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { SessionId } from "../../ids.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import {
  deleteOtherSessions,
  deleteSession,
  listSessions,
  type Session,
} from "../session-queries.ts";

export async function readSessions(ctx: DirectoryContext, { id, personId }: Session) {
  const rows = await listSessions(ctx.db, personId);
  return {
    sessions: rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      isCurrent: row.sessionId === id,
    })),
  };
}

/** Ends a session of the person, at once. */
export async function endSession(
  ctx: DirectoryContext,
  { personId }: Session,
  id: SessionId,
  facts: RequestFacts,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await deleteSession(tx, { id, personId }))) throw new ApiError("session_not_found");
    const change = { accountId: null, action: "session.end", object: id } as const;
    await recordAudit(tx, personActor(personId, facts), change);
  });
}

/** Ends all sessions of the person but this one. */
export async function endOtherSessions(
  ctx: DirectoryContext,
  { id, personId }: Session,
  facts: RequestFacts,
): Promise<{ ended: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const ended = await deleteOtherSessions(tx, personId, id);
    const change = { accountId: null, action: "session.end_others", object: id } as const;
    await recordAudit(tx, personActor(personId, facts), { ...change, after: { ended } });
    return { ended };
  });
}
