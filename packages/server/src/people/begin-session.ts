import { recordAudit } from "../audit/record-audit.ts";
import type { Tx } from "../db/database.ts";
import { newId, type PersonId, type SessionId } from "../ids.ts";
import { personActor, type RequestFacts } from "./request-facts.ts";
import { deleteOldSessions, insertSession, sessionSecondsMax } from "./session-queries.ts";
import { newToken } from "./token.ts";

const sessionsPerPersonMax = 20;
/** How long a person has for the second factor. */
const pendingSecondsMax = 10 * 60;
const userAgentLengthMax = 200;

export interface BegunSession {
  id: SessionId;
  /** Goes into the cookie, and nowhere else. */
  token: string;
  secondsMax: number;
  awaitsFactor: boolean;
}

/**
 * Begins a session of a person who has proved who it is. With `awaitsFactor` it is good for nothing but
 * the second factor, which ends it and begins another: a token from before is never promoted.
 */
export async function beginSession(
  tx: Tx,
  personId: PersonId,
  facts: RequestFacts,
  { awaitsFactor = false } = {},
): Promise<BegunSession> {
  const { token, hash } = newToken();
  const id = newId<SessionId>(0);
  const secondsMax = awaitsFactor ? pendingSecondsMax : sessionSecondsMax;
  await deleteOldSessions(tx, personId, sessionsPerPersonMax - 1);
  const { address } = facts;
  const userAgent = facts.userAgent?.slice(0, userAgentLengthMax) ?? null;
  await insertSession(tx, { id, personId, hash, awaitsFactor, address, userAgent, secondsMax });
  await recordAudit(tx, personActor(personId, facts), {
    accountId: null,
    action: "session.create",
    object: id,
    after: { awaitsFactor },
  });
  return { id, token, secondsMax, awaitsFactor };
}
