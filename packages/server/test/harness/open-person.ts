import type { FastifyInstance } from "fastify";
import { inTransaction } from "../../src/db/database.ts";
import {
  type AccountId,
  type MemberRole,
  newId,
  type PersonId,
  type SessionId,
  type StaffRole,
} from "../../src/ids.ts";
import { beginSession } from "../../src/people/begin-session.ts";
import { sessionCookieName } from "../../src/people/cookies.ts";
import { insertPerson } from "../../src/people/queries.ts";
import type { TestBed } from "./test-context.ts";

export interface TestPerson {
  personId: PersonId;
  email: string;
  /** The account of which the person is a member. */
  accountId: AccountId;
  sessionId: SessionId;
  /** The headers of a browser with the person's session on a page of our own. */
  headers: Record<string, string>;
}

/**
 * A person with a session: with a role in an account (a new one, unless it is given), or of the staff.
 * Hashing a password costs time: one is set only if it is given.
 */
export async function openPerson(
  bed: Pick<TestBed, "ctx" | "openAccount">,
  options: {
    role?: MemberRole;
    staff?: StaffRole;
    accountId?: AccountId;
    password?: string;
    email?: string;
  },
): Promise<TestPerson> {
  const { role, staff, password } = options;
  const { ctx } = bed;
  const personId = newId<PersonId>(0);
  const email = options.email ?? `${personId}@example.com`;
  const accountId = options.accountId ?? (await bed.openAccount()).id;
  const passwordHash = password === undefined ? null : await ctx.passwords.hash(password, "test");
  const facts = {
    address: "192.0.2.1",
    network: "192.0.2.1",
    userAgent: "test",
    deviceToken: null,
  };
  const session = await inTransaction(ctx.db, async (tx) => {
    await insertPerson(tx, { id: personId, email, name: "Test", language: "en", passwordHash });
    if (role !== undefined)
      await tx
        .insertInto("members")
        .values({ person_id: personId, account_id: accountId, role })
        .execute();
    if (staff !== undefined)
      await tx
        .insertInto("staff")
        .values({
          person_id: personId,
          role: staff,
          created_at: new Date(Date.now() - 30 * 86_400_000), // not new: a second person can be
        })
        .execute();
    return beginSession(tx, personId, { ...facts, requestId: crypto.randomUUID() });
  });
  const headers = browserOf(ctx.config.links.publicUrl, session.token);
  return { personId, email, accountId, sessionId: session.id, headers };
}

/** Signs in over HTTP. Returns the response and the headers of a browser that keeps the cookies. */
export async function signIn(
  api: Pick<FastifyInstance, "inject">,
  bed: Pick<TestBed, "ctx">,
  body: { email: string; password: string },
  headers: Record<string, string> = {},
) {
  const { publicUrl } = bed.ctx.config.links;
  const answer = await api.inject({
    method: "POST",
    url: "/api/v1/session",
    headers: { origin: new URL(publicUrl).origin, ...headers },
    payload: body,
  });
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return { answer, headers: { origin: new URL(publicUrl).origin, cookie } };
}

function browserOf(publicUrl: string, token: string): Record<string, string> {
  return { origin: new URL(publicUrl).origin, cookie: `${sessionCookieName}=${token}` };
}
