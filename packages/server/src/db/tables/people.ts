import type { Generated } from "kysely";
import type {
  AccountId,
  LinkId,
  MailId,
  MemberRole,
  PersonId,
  SessionId,
  StaffRole,
} from "../../ids.ts";
import type { Json } from "../json.ts";

export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** The content of a mail. A link is made when the mail is sent, so that no token is stored. */
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
    /** The time at which it was last set by a link. */
    password_linked_at: Generated<Date | null>;
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
    invited_by: Generated<PersonId | null>;
    /** The first inviter in the chain of invitations that leads to the person. */
    first_inviter: Generated<PersonId | null>;
  };
  sessions: {
    id: SessionId;
    person_id: PersonId;
    hash: Buffer;
    awaits_factor: Generated<boolean>;
    proved_at: Generated<Date | null>;
    has_factor: Generated<boolean>;
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
    /** The account of which a person invited to the staff also becomes an owner. */
    owned_account_id: AccountId | null;
    role: string | null;
    created_by: PersonId | null;
    awaits_approval: Generated<boolean>;
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
