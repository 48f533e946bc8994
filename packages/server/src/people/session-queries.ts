import { sql } from "kysely";
import { type PriceTerms, termsColumns } from "../accounts/queries.ts";
import type { Connections } from "../db/connections.ts";
import type { DirectoryDb } from "../db/database.ts";
import type { DirectoryTables } from "../db/schema.ts";
import type { AccountId, MemberRole, PersonId, SessionId, StaffRole } from "../ids.ts";

/** A session ends after 30 days, or 7 days after its last use. */
export const sessionSecondsMax = 30 * 24 * 3600;
const idleHoursMax = 7 * 24;
const freshMinutesMax = 10;

export interface Session {
  id: SessionId;
  personId: PersonId;
  /** The password was right; a second factor is still missing. */
  awaitsFactor: boolean;
  /** The person proved who it is within the last ten minutes. */
  isFresh: boolean;
  /** A passkey or a code was part of a proof. */
  hasFactor: boolean;
  staffRole: StaffRole | null;
}

/** A prepared statement without the query builder: it runs before every request of a session. */
export async function findSession(
  pool: Connections<DirectoryTables>,
  hash: Buffer,
): Promise<Session | undefined> {
  const { rows } = await pool.query<Session & { isLate: boolean }>({
    name: "find session",
    text: `select s.id, s.person_id as "personId", s.awaits_factor as "awaitsFactor", f.role as "staffRole",
                  s.has_factor as "hasFactor",
                  coalesce(s.proved_at > now() - $3 * interval '1 minute', false) as "isFresh",
                  s.last_used_at < now() - interval '1 minute' as "isLate"
           from sessions s left join staff f on f.person_id = s.person_id
           where s.hash = $1 and s.expires_at > now() and s.last_used_at > now() - $2 * interval '1 hour'`,
    values: [hash, idleHoursMax, freshMinutesMax],
  });
  const [found] = rows;
  if (found === undefined) return undefined;
  const { isLate, ...session } = found;
  if (isLate)
    await pool.query({
      name: "touch session",
      text: `update sessions set last_used_at = date_trunc('minute', now())
             where id = $1 and last_used_at < now() - interval '1 minute'`,
      values: [session.id],
    });
  return session;
}

/** The facts in an account's own row. */
export interface OwnAccount extends PriceTerms {
  isSuspended: boolean;
  isTest: boolean;
  isTestModeOff: boolean;
  /** The shard that it lives in; null: the one that was asked. */
  movedTo: number | null;
}

export interface Membership extends OwnAccount {
  id: AccountId;
  role: MemberRole;
}

const ownColumns = `${termsColumns}, a.suspended_at is not null as "isSuspended",
                    a.moved_to as "movedTo", a.test_of is not null as "isTest",
                    a.test_mode_off_at is not null as "isTestModeOff"`;

/**
 * The accounts of a person, two at most: the one that is named, or whichever there are. A test account has
 * the people of its live account. Asked of the directory, where an account that lives elsewhere has a
 * forwarding row.
 */
export async function findMemberships(
  pool: Connections<DirectoryTables>,
  personId: PersonId,
  named: AccountId | null,
): Promise<Membership[]> {
  const columns = `a.id, m.role, ${ownColumns}`;
  const { rows } = await pool.query<Membership>(
    named === null
      ? {
          name: "find memberships",
          text: `select ${columns} from members m join accounts a on a.id = m.account_id
                 where m.person_id = $1 and a.closed_at is null order by m.account_id limit 2`,
          values: [personId],
        }
      : {
          name: "find membership",
          text: `select ${columns}
                 from accounts a join members m on m.account_id = coalesce(a.test_of, a.id) and m.person_id = $1
                 where a.id = $2 and a.closed_at is null`,
          values: [personId, named],
        },
  );
  return rows;
}

/** An account that is open, or its forwarding row. */
export async function findOwnAccount(
  pool: Connections,
  accountId: AccountId,
): Promise<OwnAccount | undefined> {
  const { rows } = await pool.query<OwnAccount>({
    name: "find own account",
    text: `select ${ownColumns} from accounts a where a.id = $1 and a.closed_at is null`,
    values: [accountId],
  });
  return rows[0];
}

/** The given sessions that have ended, or whose person is no longer a member of the account. */
export async function findEndedSessions(
  pool: Connections<DirectoryTables>,
  followed: readonly { sessionId: SessionId; accountId: AccountId }[],
): Promise<{ sessionId: SessionId; accountId: AccountId }[]> {
  const { rows } = await pool.query<{ sessionId: SessionId; accountId: AccountId }>({
    name: "find ended sessions",
    text: `select f.session_id as "sessionId", f.account_id as "accountId"
           from unnest($1::uuid[], $2::uuid[]) as f (session_id, account_id)
           where not exists (
             select from sessions s join accounts a on a.id = f.account_id
             join members m on m.person_id = s.person_id and m.account_id = coalesce(a.test_of, a.id)
             where s.id = f.session_id and s.expires_at > now() and a.closed_at is null)`,
    values: [
      followed.map(({ sessionId }) => sessionId),
      followed.map(({ accountId }) => accountId),
    ],
  });
  return rows;
}

export async function insertSession(
  db: DirectoryDb,
  session: {
    id: SessionId;
    personId: PersonId;
    hash: Buffer;
    awaitsFactor: boolean;
    hasFactor: boolean;
    address: string | null;
    userAgent: string | null;
    secondsMax: number;
  },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      person_id: session.personId,
      hash: session.hash,
      awaits_factor: session.awaitsFactor,
      has_factor: session.hasFactor,
      address: session.address,
      user_agent: session.userAgent,
      expires_at: sql<Date>`now() + ${session.secondsMax} * interval '1 second'`,
    })
    .execute();
}

/** Notes that the person of a session has proved who it is. */
export async function noteProof(
  db: DirectoryDb,
  { id, personId }: { id: SessionId; personId: PersonId },
  { isFactor }: { isFactor: boolean },
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ proved_at: sql<Date>`now()`, ...(isFactor ? { has_factor: true } : {}) })
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .execute();
}

/** Deletes the oldest sessions of a person, of those that await a factor or of the others, so that `kept` stay. */
export async function deleteOldSessions(
  db: DirectoryDb,
  { personId, awaitsFactor, kept }: { personId: PersonId; awaitsFactor: boolean; kept: number },
): Promise<void> {
  const old = db
    .selectFrom("sessions")
    .select("id")
    .where("person_id", "=", personId)
    .where("awaits_factor", "=", awaitsFactor)
    .orderBy("id", "desc")
    .offset(kept);
  await db.deleteFrom("sessions").where("id", "in", old).execute();
}

/** Returns whether there was one. */
export async function deleteSession(
  db: DirectoryDb,
  { id, personId }: { id: SessionId; personId: PersonId },
): Promise<boolean> {
  const result = await db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** All of them: a person has few. */
export async function listSessions(db: DirectoryDb, personId: PersonId) {
  return db
    .selectFrom("sessions")
    .select([
      "id as sessionId",
      sql<string | null>`host(address)`.as("address"),
      "user_agent as userAgent",
      "created_at as createdAt",
      "last_used_at as lastUsedAt",
      "expires_at as expiresAt",
    ])
    .where("person_id", "=", personId)
    .where("awaits_factor", "=", false)
    .where("expires_at", ">", sql<Date>`now()`)
    .where(sql<boolean>`last_used_at > now() - ${idleHoursMax} * interval '1 hour'`)
    .orderBy("id", "desc")
    .execute();
}

/** Ends all sessions of a person but one. Returns how many. */
export async function deleteOtherSessions(
  db: DirectoryDb,
  personId: PersonId,
  kept: SessionId | null,
): Promise<number> {
  let query = db.deleteFrom("sessions").where("person_id", "=", personId);
  if (kept !== null) query = query.where("id", "<>", kept);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
