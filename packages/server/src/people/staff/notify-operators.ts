import type { DirectoryDb } from "../../db/database.ts";
import { type Actor, personOf } from "../../ids.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { type StaffNotice, staffNoticeText } from "../mail-texts.ts";
import { findPerson } from "../queries.ts";
import { listOperators } from "./queries.ts";

const hoursMax = 24;

/**
 * Mails the other operators what one has done that gives or takes power over the deployment or its credits.
 * `also` gets it, too, though no longer an operator.
 */
export async function notifyOperators(
  directory: DirectoryDb,
  actor: Actor,
  notice: StaffNotice,
  also: { email: string; language: "en" | "zh" }[] = [],
): Promise<void> {
  const personId = personOf(actor);
  const self = personId === null ? undefined : await findPerson(directory, personId);
  const by = self === undefined ? nameOf(actor) : `${self.name} (${self.email})`;
  const notified = new Set<string>();
  for (const { email, language } of [...(await listOperators(directory)), ...also]) {
    if (email === self?.email || notified.has(email)) continue;
    notified.add(email);
    const content = { kind: "text", ...staffNoticeText(language, notice, by) } as const;
    await queueMail(directory, { recipient: email, content, hoursMax });
  }
}

const nameOf = (actor: Actor): string => (actor.kind === "command" ? actor.user : actor.kind);
