import { sql } from "kysely";
import type { Config } from "../settings/config.ts";

/** Whether the mail of an invitation was sent. */
export const invitationMails = ["sent", "waiting", "refused", "link", "off"] as const;
export type InvitationMail = (typeof invitationMails)[number];

interface MailFacts {
  hasToken: boolean;
  isQueued: boolean;
  awaitsApproval: boolean;
  invitedBy: string | null;
}

/** Columns of `one_time_links` from which the state of the mail follows. */
export const mailFacts = [
  sql<boolean>`hash is not null`.as("hasToken"),
  sql<boolean>`id::text in (select content->>'linkId' from mails)`.as("isQueued"),
  "awaits_approval as awaitsApproval",
  "created_by as invitedBy",
] as const;

/**
 * A link has a token since its mail was written, or since it was handed over by a command or as a link;
 * a token that the mail server refused is taken back.
 */
export function mailOf({ mail }: Pick<Config, "mail">, facts: MailFacts): InvitationMail {
  const { hasToken, isQueued, awaitsApproval, invitedBy } = facts;
  const isOff = mail.smtpUrl === null;
  if (awaitsApproval) return isOff ? "off" : "waiting";
  if (isQueued) return isOff ? "off" : "waiting";
  if (!hasToken) return "refused";
  return isOff || invitedBy === null ? "link" : "sent";
}
