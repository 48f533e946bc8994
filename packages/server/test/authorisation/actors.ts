import { scopes } from "../../src/db/tables/accounts.ts";
import { serviceScopes } from "../../src/db/tables/admin.ts";
import type { RefusalCode } from "../../src/errors.ts";
import { type AccountId, type MemberRole, memberRoles, type StaffRole } from "../../src/ids.ts";
import { openPerson } from "../harness/open-person.ts";
import { openServiceKey } from "../harness/open-service-key.ts";
import type { TestBed } from "../harness/test-context.ts";
import type { Family } from "../tenancy/kinds.ts";
import type { AccountPolicy, Policy as AnyPolicy } from "./policies.ts";

/** A signed link asks nobody who they are. */
type Policy = Exclude<AnyPolicy, { for: "link" }>;

/** A person with one of everything. */
export interface Owner {
  accountId: AccountId;
  key: string;
  ids: Partial<Record<Family, string>>;
}

export interface AuthorisationFixture {
  bed: TestBed;
  /** The account that the callers belong to, or do not. */
  owner: Owner;
  suspended: Owner;
}

/** A kind of caller: how it calls, and what a policy means for it. A new kind is a row of `actors`. */
interface ActorKind {
  /** Called for every request: what a request did to its caller does not matter to the next. */
  headers(fixture: AuthorisationFixture, policy: AnyPolicy): Promise<Record<string, string>>;
  /** The account whose ids its requests name. */
  account: "owner" | "suspended";
  /** Returns the reason for a refusal; `null` if it is not refused. */
  refusal(policy: Policy): RefusalCode | null;
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

/** Any key: what is for people or staff is not for it. */
const key =
  (ofAccount: (policy: AccountPolicy) => RefusalCode | null) =>
  (policy: Policy): RefusalCode | null => {
    if (policy.for === "everyone" || policy.for === "keys") return null;
    return policy.for === "account" && policy.scope !== null
      ? ofAccount(policy)
      : "person_required";
  };

const member = (role: MemberRole): ActorKind => ({
  account: "owner",
  async headers({ bed, owner: { accountId } }) {
    const { headers } = await openPerson(bed, { role, accountId });
    return { ...headers, "zoetrope-account": accountId };
  },
  refusal(policy) {
    if (policy.for === "staff") return "role_missing";
    if (policy.for === "keys") return "unauthorized";
    if (policy.for !== "account") return null;
    const isEnough = memberRoles.indexOf(role) <= memberRoles.indexOf(policy.least);
    return isEnough ? null : "role_missing";
  },
});

/** Staff are no members: of an account they see what the staff's endpoints show. */
const staffMember = (role: StaffRole): ActorKind => ({
  account: "owner",
  async headers({ bed, owner: { accountId } }) {
    const { headers } = await openPerson(bed, { staff: role, accountId });
    return { ...headers, "zoetrope-account": accountId };
  },
  refusal(policy) {
    if (policy.for === "account") return "not_a_member";
    if (policy.for === "keys") return "unauthorized";
    return policy.for !== "staff" || policy.roles.includes(role) ? null : "role_missing";
  },
});

/** The service keys by scopes: the operators get a mail about each, and no request changes one. */
const serviceKeys = new Map<string, Promise<{ headers: Record<string, string> }>>();

/** A key of an operator. Without the scope it has all others, and none that includes it. */
const serviceKey = (hasScope: boolean): ActorKind => ({
  account: "owner",
  async headers({ bed }, policy) {
    const needed = policy.for === "staff" && policy.service !== "own" ? policy.service : null;
    const noun = needed?.replace(/:read$/, "") ?? null;
    const has = serviceScopes.filter((scope) => hasScope || (scope !== needed && scope !== noun));
    const open = async () => openServiceKey(bed, await openPerson(bed, { staff: "operator" }), has);
    const opened = serviceKeys.get(has.join()) ?? open();
    serviceKeys.set(has.join(), opened);
    return (await opened).headers;
  },
  refusal(policy) {
    if (policy.for === "everyone") return null;
    if (policy.for !== "staff") return "unauthorized";
    if (policy.service === null) return "person_required";
    return hasScope || policy.service === "own" ? null : "scope_missing";
  },
});

export const actors = {
  "no key": {
    account: "owner",
    headers: async () => ({}),
    refusal(policy) {
      if (policy.for === "everyone") return null;
      const isForKeys =
        policy.for === "keys" || (policy.for === "account" && policy.scope !== null);
      return isForKeys ? "unauthorized" : "signed_out";
    },
  },
  "foreign key": {
    account: "owner",
    async headers({ bed }) {
      const limits = { scopes: [...scopes] };
      return withKey((await bed.openAccount({ limits })).key);
    },
    refusal: key(({ stranger }) => stranger),
  },
  "key without scope": {
    account: "owner",
    async headers({ bed }, policy) {
      const needed = policy.for === "account" ? policy.scope : null;
      const others = scopes.filter((scope) => scope !== needed && scope !== "read");
      return withKey((await bed.openAccount({ limits: { scopes: others } })).key);
    },
    refusal: key(() => "scope_missing"),
  },
  "full key": {
    account: "owner",
    headers: async ({ owner }) => withKey(owner.key),
    refusal: key(() => null),
  },
  viewer: member("viewer"),
  developer: member("developer"),
  owner: member("owner"),
  support: staffMember("support"),
  reviewer: staffMember("reviewer"),
  operator: staffMember("operator"),
  "service key": serviceKey(true),
  "service key without scope": serviceKey(false),
  "suspended account": {
    account: "suspended",
    headers: async ({ suspended }) => withKey(suspended.key),
    refusal: key(({ changes }) => (changes ? "account_suspended" : null)),
  },
} as const satisfies Record<string, ActorKind>;

export type ActorName = keyof typeof actors;
export const actorNames = Object.keys(actors) as ActorName[];
