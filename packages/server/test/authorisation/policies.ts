import type { MemberRole, StaffRole } from "../../src/actor.ts";
import type { Scope } from "../../src/db/tables/accounts.ts";
import type { RefusalCode } from "../../src/errors.ts";
import type { Family } from "../tenancy/kinds.ts";

/** Who may call an endpoint. */
export type Policy =
  | { for: "everyone" }
  /** Whoever has a link that was signed for it; nobody else, whoever they are. */
  | { for: "link" }
  /** Any signed-in person, without an account. */
  | { for: "people" }
  /** Every key, whatever its scopes, and nobody else. */
  | { for: "keys" }
  | { for: "staff"; roles: readonly StaffRole[] }
  | AccountPolicy;

/** For an account: its keys with a scope, and people with a role in it. */
export interface AccountPolicy {
  for: "account";
  /** `null`: not for keys. */
  scope: KeyScope | null;
  least: MemberRole;
  /** Nothing that a suspended account may do. */
  changes: boolean;
  /** The ids that the request names, of the account that is called for. */
  ids: Readonly<Record<string, Family>>;
  /** What a key of another account is answered to those ids; `null` where it names none. */
  stranger: RefusalCode | null;
}
type KeyScope = Exclude<Scope, "read">;
type Named = [ids?: AccountPolicy["ids"], stranger?: RefusalCode];

const account = (
  rule: Pick<AccountPolicy, "scope" | "least" | "changes">,
  [ids = {}, stranger]: Named,
): AccountPolicy => ({ for: "account", ...rule, ids, stranger: stranger ?? null });

/** How a row says who may call its endpoint. */
export const policies = {
  everyone: { for: "everyone" },
  signedLink: { for: "link" },
  people: { for: "people" },
  anyKey: { for: "keys" },
  staff: (...roles: StaffRole[]): Policy => ({ for: "staff", roles }),

  reads: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "viewer", changes: false }, named),
  /** Not for viewers, nor for keys that may only read. */
  readsSecret: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "developer", changes: false }, named),
  writes: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "developer", changes: true }, named),

  /** Changes what is the member's own. */
  anyMember: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "viewer", changes: true }, named),
  /** Of people, the account's owners alone. */
  ownersRead: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "owner", changes: false }, named),
  ownersWrite: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "owner", changes: true }, named),
} as const satisfies Record<string, Policy | ((...given: never[]) => Policy)>;
