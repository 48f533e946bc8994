import type { AccountId, KeyId, PersonId } from "./ids.ts";

/** What a person may do in an account: each role includes those after it. */
export const memberRoles = ["owner", "developer", "viewer"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What a person may do in the deployment. `support` reads; `reviewer` sees the review queue only. */
export const staffRoles = ["operator", "support", "reviewer"] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Who does something: an API key, a signed-in person, or whoever runs an operator command. */
export type Actor = (
  | { kind: "key"; keyId: KeyId; accountId: AccountId }
  | { kind: "person"; personId: PersonId }
  | { kind: "command"; user: string }
) & {
  /** From where, and in which request; null for commands. */
  address: string | null;
  requestId: string | null;
};

export type PersonActor = Extract<Actor, { kind: "person" }>;
