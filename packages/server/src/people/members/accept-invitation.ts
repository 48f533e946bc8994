import { lockAccount } from "../../accounts/queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryTx, inTransaction, isUniqueViolation } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import { ApiError, invalid } from "../../errors.ts";
import { type AccountId, type MemberRole, newId, type PersonId } from "../../ids.ts";
import { type BegunSession, beginSession } from "../begin-session.ts";
import type { PeopleContext } from "../context.ts";
import { newDeviceToken } from "../device.ts";
import { findLink, type Link, takeLink } from "../links.ts";
import { requireStrong } from "../password-rules.ts";
import { findPersonByEmail, insertPerson, linkPassword } from "../queries.ts";
import { personActor, type RequestFacts } from "../request-facts.ts";
import { insertStaff } from "../staff/queries.ts";
import { findAccountName, insertMember } from "./queries.ts";

type Invitation = Extract<Link, { kind: "member" | "staff" }>;

interface Accepting {
  token: string;
  name?: string | undefined;
  password?: string | undefined;
  language?: Language | undefined;
}

/** Returns the contents of an invitation without using it. */
export async function readInvitation(ctx: PeopleContext, token: string) {
  const link = await findInvitation(ctx, token);
  const person = await findPersonByEmail(ctx.db, link.email);
  return {
    email: link.email,
    role: link.role,
    accountName: link.kind === "member" ? await findAccountName(ctx.db, link.accountId) : null,
    isKnown: person !== undefined,
  };
}

/**
 * Accepts an invitation: the link proves the e-mail address. A person who is known gets the role and
 * signs in as usual; anybody else is created with a name and a password, and is signed in.
 */
export async function acceptInvitation(
  ctx: PeopleContext,
  accepting: Accepting,
  facts: RequestFacts,
): Promise<(BegunSession & { deviceToken: string }) | null> {
  const link = await findInvitation(ctx, accepting.token);
  const known = await findPersonByEmail(ctx.db, link.email);
  if (known !== undefined) {
    await inTransaction(ctx.db, (tx) => join(tx, accepting.token, known.id, facts));
    return null;
  }
  const { name, password, language = "en" } = accepting;
  if (name === undefined) throw invalid("name", "is required for a new person");
  if (password === undefined) throw invalid("password", "is required for a new person");
  requireStrong("password", password, link.email);
  const passwordHash = await ctx.passwords.hash(password, facts.network);
  const id = newId<PersonId>(0);
  const person = { id, email: link.email, name, language, passwordHash };
  try {
    const session = await inTransaction(ctx.db, async (tx) => {
      await insertPerson(tx, person);
      await linkPassword(tx, id, passwordHash);
      await join(tx, accepting.token, id, facts);
      return beginSession(tx, id, facts);
    });
    return { ...session, deviceToken: newDeviceToken(ctx.config.links.secret, link.email) };
  } catch (error) {
    // Another invitation of the same address was accepted meanwhile.
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError("request_in_progress", { retryAfterSeconds: 1 });
  }
}

async function findInvitation({ db }: PeopleContext, token: string): Promise<Invitation> {
  const link = await findLink(db, token);
  if (link?.kind !== "member" && link?.kind !== "staff") throw new ApiError("link_invalid");
  return link;
}

async function join(
  tx: DirectoryTx,
  token: string,
  personId: PersonId,
  facts: RequestFacts,
): Promise<void> {
  const link = await takeLink(tx, token, ["member", "staff"]);
  await giveRole(tx, personId, link);
  const actor = personActor(personId, facts);
  const joined = {
    action: `${link.kind}.join`,
    object: personId,
    after: { role: link.role },
  } as const;
  const accountId = link.kind === "staff" ? null : link.accountId;
  await recordAudit(tx, actor, { ...joined, accountId });
  if (link.kind === "member" || link.ownedAccountId === null) return;
  const owner = { action: "member.join", object: personId, after: { role: "owner" } } as const;
  await recordAudit(tx, actor, { ...owner, accountId: link.ownedAccountId });
}

/** Gives a person the role of an invitation that was taken. */
export async function giveRole(
  tx: DirectoryTx,
  personId: PersonId,
  invitation: Invitation,
): Promise<void> {
  if (invitation.kind === "staff") {
    const { role, createdBy: invitedBy } = invitation;
    if (!(await insertStaff(tx, { personId, role, invitedBy })))
      throw new ApiError("already_member");
    const { ownedAccountId } = invitation;
    if (ownedAccountId !== null) await joinAccount(tx, ownedAccountId, personId, "owner");
    return;
  }
  const { accountId, role } = invitation;
  if (!(await joinAccount(tx, accountId, personId, role))) throw new ApiError("already_member");
}

/** Returns whether the person was none of its people yet. */
async function joinAccount(
  tx: DirectoryTx,
  accountId: AccountId,
  personId: PersonId,
  role: MemberRole,
): Promise<boolean> {
  if ((await lockAccount(tx, accountId)) === undefined) throw new ApiError("link_invalid"); // closed meanwhile
  return insertMember(tx, { accountId, personId, role });
}
