import { sql } from "kysely";
import type { DirectoryContext } from "../context.ts";
import { type DirectoryDb, inTransaction } from "../db/database.ts";
import type { Language } from "../db/tables/people.ts";
import type { LinkId, MemberRole, PersonId, StaffRole } from "../ids.ts";
import type { DueMail } from "../mail/queries.ts";
import type { RenderMail } from "../mail/send-mails.ts";
import type { Letter } from "../mail/transport.ts";
import {
  countLinksOf,
  forgetToken,
  insertLink,
  type Link,
  linkHoursMax,
  linkUrl,
  renewToken,
} from "./links.ts";
import { confirmEmailText, invitationText, passwordResetText } from "./mail-texts.ts";
import { findAccountName } from "./members/queries.ts";
import { findPerson, findPersonByEmail } from "./queries.ts";

const resetLinksMax = 3;

/** Writes a mail when it is sent: its link gets its token only now, and nobody can read it before. */
export function createMailRenderer(ctx: DirectoryContext): RenderMail {
  return async ({ recipient, content }: DueMail): Promise<Letter | null> => {
    switch (content.kind) {
      case "text":
        return { recipient, subject: content.subject, text: content.text };
      case "password-reset":
        return renderReset(ctx, recipient);
      case "link": {
        const link = await renewToken(ctx.db, content.linkId);
        if (link === undefined) return null;
        const letter = await renderLink(ctx, link, link.token);
        return { ...letter, onRefused: () => forgetToken(ctx.db, link.id) };
      }
    }
  };
}

/** Renders a reset mail; null if no person has the address, which only the worker knows. */
async function renderReset(ctx: DirectoryContext, email: string): Promise<Letter | null> {
  const person = await findPersonByEmail(ctx.db, email);
  if (person === undefined) return null;
  const linkId = await insertResetLink(ctx.db, person);
  const link = linkId === null ? undefined : await renewToken(ctx.db, linkId);
  return link === undefined ? null : renderLink(ctx, link, link.token);
}

/** Strangers can ask, too: the links that were sent go on working, and no more are sent. */
async function insertResetLink(
  db: DirectoryDb,
  { id: personId, email }: { id: PersonId; email: string },
): Promise<LinkId | null> {
  return inTransaction(db, async (tx) => {
    const lock = `links of person ${personId}`; // several mails to one person are written at once
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
    if ((await countLinksOf(tx, personId, "password")) >= resetLinksMax) return null;
    return insertLink(tx, email, { kind: "password", personId });
  });
}

/** The recipient's; of somebody who is invited, the inviter's. */
async function languageOf({ db }: DirectoryContext, link: Link): Promise<Language> {
  const known =
    "personId" in link && link.personId !== null
      ? await findPerson(db, link.personId)
      : await findPersonByEmail(db, link.email);
  if (known !== undefined) return known.language;
  const inviter =
    "createdBy" in link && link.createdBy !== null
      ? await findPerson(db, link.createdBy)
      : undefined;
  return inviter?.language ?? "en";
}

async function renderLink(ctx: DirectoryContext, link: Link, token: string): Promise<Letter> {
  const { publicUrl } = ctx.config.links;
  const language = await languageOf(ctx, link);
  const { kind, email: recipient } = link;
  const facts = {
    url: linkUrl(publicUrl, kind, token),
    host: new URL(publicUrl).host,
    hours: linkHoursMax[kind],
  };
  switch (kind) {
    case "password":
      return { recipient, ...passwordResetText(language, facts) };
    case "email":
      return {
        recipient,
        ...confirmEmailText(language, facts, await requester(ctx, link.personId)),
      };
    case "staff":
      return invite(link.role, null);
    case "member":
      return invite(link.role, await findAccountName(ctx.db, link.accountId));
  }

  function invite(role: MemberRole | StaffRole, accountName: string | null): Letter {
    return { recipient, ...invitationText(language, facts, { role, accountName }) };
  }
}

/** Returns the person who requested the link, so that its reader knows whose address it becomes. */
async function requester({ db }: DirectoryContext, personId: PersonId) {
  const person = await findPerson(db, personId);
  if (person === undefined) throw new Error("the person of a link is gone"); // its links go with it
  return person;
}
