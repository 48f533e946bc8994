import type { Actor } from "../actor.ts";
import type { Tx } from "../db/database.ts";
import type { AuditValues } from "../db/tables/audit.ts";
import { type AccountId, type AuditId, newId, shardOf } from "../ids.ts";

export interface Change {
  /** Whose data it is; `null`: the deployment's. */
  accountId: AccountId | null;
  /** `noun.verb`, such as `key.create`. */
  action: `${string}.${string}`;
  /** The id of what is changed. */
  object: string;
  /** What changes, by field and without secrets. */
  before?: AuditValues;
  after?: AuditValues;
  reason?: string;
}

/** Writes down who changed what, in the transaction of the change: neither is there without the other. */
export async function recordAudit(tx: Tx, actor: Actor, change: Change): Promise<void> {
  const { accountId, action, object, before, after, reason } = change;
  await tx
    .insertInto("audit_entries")
    .values({
      id: newId<AuditId>(accountId === null ? 0 : shardOf(accountId)),
      account_id: accountId,
      actor_kind: actor.kind,
      person_id: actor.kind === "person" ? actor.personId : null,
      actor: nameOf(actor),
      action,
      object,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
      reason: reason ?? null,
      address: actor.address,
      request_id: actor.requestId,
    })
    .execute();
}

function nameOf(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return actor.keyId;
    case "person":
      return actor.personId;
    case "command":
      return actor.user;
  }
}
