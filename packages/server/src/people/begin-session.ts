import { recordAudit } from "../audit/record-audit.ts";
import type { DirectoryTx } from "../db/database.ts";
import { newId, type PersonId, type SessionId } from "../ids.ts";
import { personActor, type RequestFacts } from "./request-facts.ts";
import { deleteOldSessions, insertSession, sessionSecondsMax } from "./session-queries.ts";
import { newToken } from "./token.ts";

const sessionsPerPersonMax = 20;
/**
 * The maximum number of sessions that await a factor, counted apart so that a stolen password ends no other
 * session.
 */
const pendingPerPersonMax = 3;
/** The time a person has to enter the second factor. */
const pendingSecondsMax = 10 * 60;
const userAgentLengthMax = 200;

export interface BegunSession {
  id: SessionId;
  /** The session token, which is sent only in the cookie. */
  token: string;
  secondsMax: number;
  awaitsFactor: boolean;
}

/**
 * Begins a session of a person who has proved who it is. With `awaitsFactor` it is good for nothing but
 * the second factor, which ends it and begins another: a token from before is never promoted.
 */
export async function beginSession(
  tx: DirectoryTx,
  personId: PersonId,
  facts: RequestFacts,
  { awaitsFactor = false, hasFactor = false } = {},
): Promise<BegunSession> {
  const { token, hash } = newToken();
  const id = newId<SessionId>(0);
  const secondsMax = awaitsFactor ? pendingSecondsMax : sessionSecondsMax;
  const kept = (awaitsFactor ? pendingPerPersonMax : sessionsPerPersonMax) - 1;
  await deleteOldSessions(tx, { personId, awaitsFactor, kept });
  const { address } = facts;
  const userAgent = facts.userAgent?.slice(0, userAgentLengthMax) ?? null;
  await insertSession(tx, {
    id,
    personId,
    hash,
    awaitsFactor,
    hasFactor,
    address,
    userAgent,
    secondsMax,
  });
  await recordAudit(tx, personActor(personId, facts), {
    accountId: null,
    action: "session.create",
    object: id,
    after: { awaitsFactor, hasFactor },
  });
  return { id, token, secondsMax, awaitsFactor };
}
