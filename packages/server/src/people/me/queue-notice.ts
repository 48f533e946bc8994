import type { DirectoryContext } from "../../context.ts";
import type { DirectoryDb, InDirectory } from "../../db/database.ts";
import type { Language } from "../../db/tables/people.ts";
import { type Actor, type PersonId, personOf } from "../../ids.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { type Noticed, noticeText } from "../mail-texts.ts";
import { findPerson } from "../queries.ts";

const hoursMax = 24;

/** Notifies a person of a change that outlasts a session: somebody else may have made it in theirs. */
export async function queueNotice(
  ctx: Pick<DirectoryContext, "config">,
  db: DirectoryDb,
  person: { email: string; language: Language },
  what: Noticed,
): Promise<void> {
  const { host } = new URL(ctx.config.links.publicUrl);
  const content = { kind: "text", ...noticeText(person.language, what, host) } as const;
  await queueMail(db, { recipient: person.email, content, hoursMax });
}

export async function noticeTo(
  ctx: Pick<DirectoryContext, "config">,
  db: DirectoryDb,
  personId: PersonId,
  what: Noticed,
): Promise<void> {
  const person = await findPerson(db, personId);
  if (person !== undefined) await queueNotice(ctx, db, person, what);
}

/**
 * Notifies a person of an API key that they made. People are in the directory, the key where its account
 * is.
 */
export function notifyKeyMade(ctx: Pick<DirectoryContext, "config">) {
  return async (inDirectory: InDirectory, actor: Actor): Promise<void> => {
    const personId = personOf(actor);
    if (personId === null) return;
    await inDirectory((directory) => noticeTo(ctx, directory, personId, "keyMade"));
  };
}
