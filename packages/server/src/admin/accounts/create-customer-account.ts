import { createAccount } from "../../accounts/create-account.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { ShardContext } from "../../context.ts";
import { type DirectoryTx, inTransaction, withDirectory } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { AccountId, Actor, PersonId } from "../../ids.ts";
import { insertMember } from "../../people/members/queries.ts";
import type { PriceBooks } from "../../prices/price-books.ts";
import { requireBook } from "../../prices/require-book.ts";
import type { KeyRing } from "../../secrets/key-ring.ts";

/**
 * Creates an account without keys and credits. The actor can be its only person. The secret is not shown
 * again by this API.
 */
export async function createCustomerAccount(
  ctx: ShardContext & { keyRing: KeyRing | null; prices: PriceBooks },
  actor: Actor,
  input: {
    name: string;
    priceBook?: string | undefined;
    openTasksMax?: number | undefined;
    asOwner?: boolean;
  },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  await requireBook(ctx, input.priceBook);
  const ownerId = input.asOwner === true ? requirePerson(actor) : null;
  const isDirectory = ctx.directory.shard !== null;
  const created = await withDirectory(ctx, async (tx, inDirectory) => {
    const account = await createAccount({ ...ctx, db: tx }, input);
    await recordAudit(tx, actor, {
      accountId: account.accountId,
      action: "account.create",
      object: account.accountId,
      after: {
        name: input.name,
        priceBook: input.priceBook ?? null,
        openTasksMax: input.openTasksMax ?? null,
      },
    });
    if (ownerId !== null && isDirectory)
      await inDirectory((directory) => joinAsOwner(directory, actor, account.accountId, ownerId));
    return account;
  });
  // Members are in the directory. If this fails the account has no owner, and operators can invite one.
  if (ownerId !== null && !isDirectory)
    await inTransaction(ctx.directory.db, (tx) =>
      joinAsOwner(tx, actor, created.accountId, ownerId),
    );
  return created;
}

/** Requires a signed-in person, because only a person can be an owner. */
function requirePerson(actor: Actor): PersonId {
  if (actor.kind !== "person") throw new ApiError("person_required");
  return actor.personId;
}

async function joinAsOwner(
  tx: DirectoryTx,
  actor: Actor,
  accountId: AccountId,
  personId: PersonId,
): Promise<void> {
  await insertMember(tx, { accountId, personId, role: "owner" });
  await recordAudit(tx, actor, {
    accountId,
    action: "member.join",
    object: personId,
    after: { role: "owner" },
  });
}
