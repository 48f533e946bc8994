import type { Generated } from "kysely";
import type { MemberRole, StaffRole } from "../../actor.ts";
import type { AccountId, LinkId, MailId, PersonId, SessionId } from "../../ids.ts";
import type { Json } from "../json.ts";

export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** What a mail says. A link is made when it is sent, so that no token is stored. */
export type MailContent =
  | { kind: "text"; subject: string; text: string }
  | { kind: "link"; linkId: LinkId }
  | { kind: "password-reset" };

export interface PeopleTables {
  people: {
    id: PersonId;
    email: string;
    name: string;
    language: Generated<Language>;
    password_hash: string | null;
    created_at: Generated<Date>;
  };
  members: {
    person_id: PersonId;
    account_id: AccountId;
    role: MemberRole;
    created_at: Generated<Date>;
  };
  staff: {
    person_id: PersonId;
    role: StaffRole;
    created_at: Generated<Date>;
  };
  sessions: {
    id: SessionId;
    person_id: PersonId;
    hash: Buffer;
    awaits_factor: Generated<boolean>;
    address: string | null;
    user_agent: string | null;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
    expires_at: Date;
  };
  one_time_links: {
    id: LinkId;
    hash: Buffer | null;
    kind: "member" | "staff" | "password" | "email";
    email: string;
    person_id: PersonId | null;
    account_id: AccountId | null;
    /** Of an invitation to the staff: also an owner of it. */
    owned_account_id: AccountId | null;
    role: string | null;
    created_by: PersonId | null;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  mails: {
    id: MailId;
    recipient: string;
    content: Json<MailContent>;
    next_try_at: Generated<Date>;
    expires_at: Date;
    created_at: Generated<Date>;
  };
}
