import type { SharedTx } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import { type AccountId, type Actor, type AuditId, newId, personOf, shardOf } from "../ids.ts";

/** Members that are undefined are not written down. */
type GivenValues = { readonly [Name in keyof AuditValues]: AuditValues[Name] | undefined };

export interface Change {
  /** The account whose data it is; `null`: the deployment's. */
  accountId: AccountId | null;
  /** `noun.verb`, such as `key.create`. */
  action: `${string}.${string}`;
  /** The id of what is changed. */
  object: string;
  /** The changed values, by field and without secrets. */
  before?: GivenValues | undefined;
  after?: GivenValues | undefined;
  reason?: string | undefined;
}

/** Writes down who changed what, in the transaction of the change: neither is there without the other. */
export async function recordAudit(tx: SharedTx, actor: Actor, change: Change): Promise<void> {
  const { accountId, action, object, before, after, reason } = change;
  await tx
    .insertInto("audit_entries")
    .values({
      id: newId<AuditId>(accountId === null ? 0 : shardOf(accountId)),
      account_id: accountId,
      actor_kind: actor.kind,
      person_id: personOf(actor),
      actor: nameOf(actor),
      action,
      object,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
      reason: reason ?? null,
      address: actor.address,
      request_id: actor.requestId,
      as_staff: isOfStaff(actor),
    })
    .execute();
}

function isOfStaff(actor: Actor): boolean {
  if (actor.kind === "person") return actor.isStaff === true;
  return actor.kind !== "key";
}

function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return actor.keyId;
    case "person":
      return actor.personId;
    case "service":
      return actor.serviceKeyId;
    case "command":
      return actor.user;
  }
}
