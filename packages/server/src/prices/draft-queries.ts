import { sql } from "kysely";
import type { DirectoryDb, DirectoryTx } from "../db/database.ts";
import type { StaffKind } from "../db/tables/admin.ts";
import type { PriceDocument } from "./document.ts";

/** The SQL of drafts and of publishing. */

interface By {
  kind: StaffKind;
  name: string;
}

const booksMax = 500;

export async function listBooks(db: DirectoryDb) {
  return db
    .selectFrom("price_books as b")
    .leftJoin("price_drafts as d", "d.book", "b.name")
    .select([
      "b.name",
      "b.description",
      "d.changed_at as changedAt",
      "d.asked_at as askedAt",
      sql<number>`(select count(*)::int from price_versions v where v.book = b.name)`.as(
        "versions",
      ),
    ])
    .orderBy("b.name")
    .limit(booksMax)
    .execute();
}

export async function findBook(db: DirectoryDb, book: string) {
  return db
    .selectFrom("price_books")
    .select(["name", "description"])
    .where("name", "=", book)
    .executeTakeFirst();
}

/** False: there is one of that name. */
export async function insertBook(
  tx: DirectoryTx,
  { name, description }: { name: string; description: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto("price_books")
    .values({ name, description })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** One change of a book at a time, until the transaction ends. */
export async function lockBook(tx: DirectoryTx, book: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`price book ${book}`}, 0))`.execute(tx);
}

/** The versions of a book without their documents, newest first. */
export async function listVersionsOf(db: DirectoryDb, book: string) {
  return db
    .selectFrom("price_versions")
    .select([
      "version",
      "valid_from as validFrom",
      "published_at as publishedAt",
      "published_kind as publishedKind",
      "published_by as publishedBy",
      "reason",
      sql<boolean>`valid_from <= now()`.as("hasBegun"),
    ])
    .where("book", "=", book)
    .orderBy("version", "desc")
    .execute();
}

/** The version that was in force so many days ago, or the first one if there was none. */
export async function findVersionBefore(db: DirectoryDb, book: string, days: number) {
  const row = await db
    .selectFrom("price_versions")
    .select("document")
    .where("book", "=", book)
    .orderBy(sql`valid_from <= now() - ${days} * interval '1 day'`, "desc")
    .orderBy(
      sql`case when valid_from <= now() - ${days} * interval '1 day' then -version else version end`,
    )
    .executeTakeFirst();
  return row?.document;
}

export type DraftRow = NonNullable<Awaited<ReturnType<typeof findDraft>>>;

export async function findDraft(db: DirectoryDb, book: string) {
  return db
    .selectFrom("price_drafts")
    .select([
      "document",
      "based_on as basedOn",
      "changed_at as changedAt",
      "changed_kind as changedKind",
      "changed_by as changedBy",
      "valid_from as validFrom",
      "reason",
      "asked_at as askedAt",
      "asked_kind as askedKind",
      "asked_by as askedBy",
    ])
    .where("book", "=", book)
    .executeTakeFirst();
}

/** Writes a draft in place of the one before; what was asked for is taken back. */
export async function putDraft(
  tx: DirectoryTx,
  { book, document, by }: { book: string; document: PriceDocument; by: By },
): Promise<void> {
  const last = sql<number>`coalesce((select max(version) from price_versions where book = ${book}), 0)`;
  const written = {
    document: JSON.stringify(document),
    changed_at: sql<Date>`now()`,
    changed_kind: by.kind,
    changed_by: by.name,
    based_on: last,
    valid_from: null,
    reason: null,
    asked_at: null,
    asked_kind: null,
    asked_by: null,
  };
  await tx
    .insertInto("price_drafts")
    .values({ book, ...written })
    .onConflict((conflict) => conflict.column("book").doUpdateSet(written))
    .execute();
}

export async function deleteDraft(tx: DirectoryTx, book: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("price_drafts").where("book", "=", book).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function askForDraft(
  tx: DirectoryTx,
  { book, validFrom, reason, by }: { book: string; validFrom: Date; reason: string; by: By },
): Promise<void> {
  await tx
    .updateTable("price_drafts")
    .set({
      valid_from: validFrom,
      reason,
      asked_at: sql<Date>`now()`,
      asked_kind: by.kind,
      asked_by: by.name,
    })
    .where("book", "=", book)
    .execute();
}

export async function takeBackAsk(tx: DirectoryTx, book: string): Promise<void> {
  const none = { valid_from: null, reason: null, asked_at: null, asked_kind: null, asked_by: null };
  await tx.updateTable("price_drafts").set(none).where("book", "=", book).execute();
}

/** Publishes the draft as the next version. False: the time is too near, or not after that of the last version. */
export async function publishDraft(
  tx: DirectoryTx,
  { book, validFrom, reason, by }: { book: string; validFrom: Date; reason: string; by: By },
  noticeSeconds: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    insert into price_versions (book, version, document, valid_from, published_kind, published_by, reason)
    select d.book, d.based_on + 1, d.document, ${validFrom}, ${by.kind}, ${by.name}, ${reason}
    from price_drafts d
    where d.book = ${book} and ${validFrom} >= clock_timestamp() + ${noticeSeconds} * interval '1 second'
      and not exists (select from price_versions v where v.book = d.book and v.valid_from >= ${validFrom})
    returning version`.execute(tx);
  return rows[0]?.version;
}
