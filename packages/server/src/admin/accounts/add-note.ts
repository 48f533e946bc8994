import { insertNote } from "../../accounts/staff-queries.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { type Db, inTransaction } from "../../db/database.ts";
import { type AccountId, type Actor, type NoteId, newId, shardOf } from "../../ids.ts";
import { storedActor } from "../actor.ts";
import { requireOpenAccount } from "./require-account.ts";

/** Adds a note of the deployment about an account. Its owners do not see that there is one. */
export async function addNote(
  { db }: { db: Db },
  actor: Actor,
  accountId: AccountId,
  note: string,
): Promise<NoteId> {
  const id = newId<NoteId>(shardOf(accountId));
  const by = storedActor(actor);
  await inTransaction(db, async (tx) => {
    await requireOpenAccount(tx, accountId);
    await insertNote(tx, { id, accountId, actorKind: by.kind, actor: by.name, note });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "account.note",
      object: accountId,
      after: { note: id },
    });
  });
  return id;
}
