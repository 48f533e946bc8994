import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import { checkDocument } from "../../prices/check-document.ts";
import type { PriceDocument } from "../../prices/document.ts";
import {
  deleteDraft,
  findBook,
  insertBook,
  lockBook,
  putDraft,
} from "../../prices/draft-queries.ts";
import { storedActor } from "../actor.ts";
import type { AdminContext } from "../context.ts";

type DraftContext = Pick<AdminContext, "directory" | "models">;

/** Creates a book without versions: nothing can be bought by it until one is published. */
export async function createBook(
  { directory }: DraftContext,
  actor: Actor,
  book: { name: string; description: string },
): Promise<void> {
  await inTransaction(directory.db, async (tx) => {
    if (!(await insertBook(tx, book))) throw new ApiError("price_book_exists");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "price_book.create",
      object: book.name,
      after: { description: book.description },
    });
  });
}

/** Writes the draft of a book in place of the one before. */
export async function writeDraft(
  { directory, models }: DraftContext,
  actor: Actor,
  book: string,
  document: PriceDocument,
): Promise<void> {
  checkDocument(document, models);
  await inTransaction(directory.db, async (tx) => {
    await requireBook(tx, book);
    await putDraft(tx, { book, document, by: storedActor(actor) });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "price_draft.write",
      object: book,
    });
  });
}

export async function dropDraft(
  { directory }: DraftContext,
  actor: Actor,
  book: string,
): Promise<void> {
  await inTransaction(directory.db, async (tx) => {
    await requireBook(tx, book);
    if (!(await deleteDraft(tx, book))) throw new ApiError("price_draft_not_found");
    await recordAudit(tx, actor, { accountId: null, action: "price_draft.drop", object: book });
  });
}

/** Locks a book for a change. */
export async function requireBook(tx: DirectoryTx, book: string): Promise<void> {
  await lockBook(tx, book);
  if ((await findBook(tx, book)) === undefined) throw new ApiError("price_book_not_found");
}
