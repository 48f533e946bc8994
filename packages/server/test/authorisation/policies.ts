import type { Scope } from "../../src/db/tables/accounts.ts";
import type { ServiceScope } from "../../src/db/tables/admin.ts";
import type { RefusalCode } from "../../src/errors.ts";
import type { MemberRole, StaffRole } from "../../src/ids.ts";
import type { Family } from "../tenancy/kinds.ts";

/** The callers that may use an endpoint. */
export type Policy =
  | { for: "everyone" }
  /** Everybody who has a link that was signed for it, and nobody else. */
  | { for: "link" }
  /** Any signed-in person, without an account. */
  | { for: "people" }
  /** Every key, whatever its scopes, and nobody else. */
  | { for: "keys" }
  /** `service`: the scope of a service key; null: not for service keys. */
  | { for: "staff"; roles: readonly StaffRole[]; service: ServiceScope | "own" | null }
  | AccountPolicy;

/** The policy of an account: its keys with a scope, and people with a role in it. */
export interface AccountPolicy {
  for: "account";
  /** `null`: not for keys. */
  scope: KeyScope | null;
  least: MemberRole;
  /** Whether a suspended account may not do it. */
  changes: boolean;
  /** The ids that the request names, of the account that is called for, each with the families that it may have. */
  ids: Readonly<Record<string, Family | readonly Family[]>>;
  /** The refusal that a key of another account gets for those ids; `null` where it names none. */
  stranger: RefusalCode | null;
}
type KeyScope = Exclude<Scope, "read">;
type Named = [ids?: AccountPolicy["ids"], stranger?: RefusalCode];

const account = (
  rule: Pick<AccountPolicy, "scope" | "least" | "changes">,
  [ids = {}, stranger]: Named,
): AccountPolicy => ({ for: "account", ...rule, ids, stranger: stranger ?? null });

/** The constructors of policies for the rows of the table. */
export const policies = {
  everyone: { for: "everyone" },
  signedLink: { for: "link" },
  people: { for: "people" },
  anyKey: { for: "keys" },
  staff: (service: ServiceScope | "own" | null, ...roles: StaffRole[]): Policy => ({
    for: "staff",
    roles,
    service,
  }),

  reads: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "viewer", changes: false }, named),
  /** The policy of secrets, which neither viewers nor keys that may only read can read. */
  readsSecret: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "developer", changes: false }, named),
  writes: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "developer", changes: true }, named),

  /** Changes what is the member's own. */
  anyMember: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "viewer", changes: true }, named),
  /** The policy of reads that only the account's owners among people may do. */
  ownersRead: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "owner", changes: false }, named),
  ownersWrite: (scope: KeyScope | null, ...named: Named) =>
    account({ scope, least: "owner", changes: true }, named),
} as const satisfies Record<string, Policy | ((...given: never[]) => Policy)>;
