import { recordAudit } from "../../audit/record-audit.ts";
import { type DirectoryTx, inTransaction } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import { notifyOperators } from "../../people/staff/notify-operators.ts";
import { requireSecondPerson } from "../../people/staff/require-second-person.ts";
import { checkDocument, largestChange } from "../../prices/check-document.ts";
import { type PriceDocument, priceDocument } from "../../prices/document.ts";
import {
  askForDraft,
  type DraftRow,
  deleteDraft,
  findDraft,
  findVersionBefore,
  listVersionsOf,
  publishDraft as publishAs,
  takeBackAsk,
} from "../../prices/draft-queries.ts";
import { storedActor } from "../actor.ts";
import type { AdminContext } from "../context.ts";
import { requireBook } from "./write-draft.ts";

type PublishContext = Pick<AdminContext, "directory" | "models" | "config">;

/** Every process knows a version before it begins. */
const noticeSecondsMin = 60;
/** What a change is measured against: many small steps within this time are one. */
const comparedDays = 30;

export type Publication =
  | { status: "published"; version: number }
  /** It waits for a second person. */
  | { status: "pending"; version: null };

/** Publishes the draft of a book, or has it wait for a second person where a rate changes by much. */
export async function publishDraft(
  ctx: PublishContext,
  actor: Actor,
  book: string,
  { validFrom, reason }: { validFrom: Date; reason: string },
): Promise<Publication> {
  const by = storedActor(actor);
  return inTransaction(ctx.directory.db, async (tx) => {
    await requireBook(tx, book);
    const draft = await requireDraft(ctx, tx, book);
    const { priceBook, priceChangePercentMax: most } = ctx.config.tasks;
    const percent = await changeOf(tx, [book, priceBook], draft.document);
    if (most === null || percent <= most)
      return publish(tx, actor, { book, validFrom, reason, by });
    await askForDraft(tx, { book, validFrom, reason, by });
    await recordAudit(tx, actor, {
      accountId: null,
      action: "price_version.ask",
      object: book,
      after: { validFrom: validFrom.toISOString(), percent },
      reason,
    });
    await notifyOperators(tx, actor, { kind: "pricesWait", book, reason });
    return { status: "pending", version: null };
  });
}

/** Decides as the second person about a draft that waits. */
export async function decideDraft(
  ctx: PublishContext,
  actor: Actor,
  book: string,
  { isApproved }: { isApproved: boolean },
): Promise<Publication | null> {
  return inTransaction(ctx.directory.db, async (tx) => {
    await requireBook(tx, book);
    const { validFrom, reason, askedKind, askedBy } = await requireDraft(ctx, tx, book);
    if (validFrom === null || reason === null || askedKind === null || askedBy === null)
      throw new ApiError("price_draft_not_asked");
    const by = { kind: askedKind, name: askedBy };
    if (!isApproved) {
      await takeBackAsk(tx, book);
      await recordAudit(tx, actor, {
        accountId: null,
        action: "price_version.reject",
        object: book,
      });
      return null;
    }
    await requireSecondPerson(tx, actor, by, null);
    const published = await publish(tx, actor, { book, validFrom, reason, by });
    await notifyOperators(tx, actor, { kind: "pricesApproved", book, reason });
    return published;
  });
}

interface Publishing {
  book: string;
  validFrom: Date;
  reason: string;
  /** Who asked. */
  by: ReturnType<typeof storedActor>;
}

async function publish(
  tx: DirectoryTx,
  actor: Actor,
  publishing: Publishing,
): Promise<Extract<Publication, { status: "published" }>> {
  const { book, validFrom, reason } = publishing;
  const version = await publishAs(tx, publishing, noticeSecondsMin);
  if (version === undefined)
    throw invalid(
      "validFrom",
      `must be at least ${noticeSecondsMin} s ahead, and after the beginning of the last version`,
    );
  await deleteDraft(tx, book);
  await recordAudit(tx, actor, {
    accountId: null,
    action: "price_version.publish",
    object: `${book}@${version}`,
    after: { validFrom: validFrom.toISOString() },
    reason,
  });
  return { status: "published", version };
}

/** The draft, unless another version was published since it was begun: it would take that one back unseen. */
async function requireDraft(
  { models }: Pick<PublishContext, "models">,
  tx: DirectoryTx,
  book: string,
): Promise<Omit<DraftRow, "document"> & { document: PriceDocument }> {
  const draft = await findDraft(tx, book);
  if (draft === undefined) throw new ApiError("price_draft_not_found");
  const [last] = await listVersionsOf(tx, book);
  if ((last?.version ?? 0) !== draft.basedOn) throw new ApiError("price_draft_outdated");
  const document = priceDocument.parse(draft.document);
  checkDocument(document, models); // a release may have added rates since it was written
  return { ...draft, document };
}

/** Measured against the first of these books that has versions: a new book against that of the deployment. */
async function changeOf(
  tx: DirectoryTx,
  books: readonly string[],
  document: PriceDocument,
): Promise<number> {
  for (const book of books) {
    const before = await findVersionBefore(tx, book, comparedDays);
    if (before !== undefined) return largestChange(priceDocument.parse(before), document);
  }
  return 0;
}
