import { type Expression, type SqlBool, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { StaffKind } from "../db/tables/admin.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import type { AccountId, NoteId } from "../ids.ts";
import type { Discount } from "./queries.ts";

/** The SQL of accounts as operators see and change them. */

/** A character that sorts, by bytes, above every name that begins with a prefix. */
const lastCharacter = "\u{10FFFF}";
const nameKey = sql<string>`lower(a.name) collate "C"`;

type TestMode = "on" | "off";

export type StaffAccountRow = Awaited<ReturnType<typeof listNewest>>[number];

/** The discount of a row, whether it has ended or not. */
export function discountOf({
  discount,
  discountUntil,
}: Pick<StaffAccountRow, "discount" | "discountUntil">): Discount | null {
  if (discount === null || discountUntil === null) return null;
  return { basisPoints: discount, until: discountUntil.getTime() };
}

function selectAccounts(db: Db) {
  return db
    .selectFrom("accounts as a")
    .select([
      "a.id",
      "a.name",
      nameKey.as("nameKey"),
      "a.price_schedule as priceBook",
      "a.discount",
      "a.discount_until as discountUntil",
      "a.open_tasks_max as openTasksMax",
      "a.credits",
      "a.held",
      "a.webhook_tail_hours as webhookTailHours",
      "a.test_of as testOf",
      "a.created_at as createdAt",
      "a.closed_at as closedAt",
      "a.suspended_at as suspendedAt",
      "a.suspended_reason as suspendedReason",
      sql<TestMode>`case when a.test_mode_off_at is null then 'on' else 'off' end`.as("testMode"),
      "a.moved_to as movedTo",
    ]);
}

export async function findStaffAccount(db: Db, id: AccountId) {
  return selectAccounts(db).where("a.id", "=", id).executeTakeFirst();
}

/** Returns an account for the staff, and locks it until the transaction ends. */
export async function lockStaffAccount(tx: Tx, id: AccountId) {
  return selectAccounts(tx).where("a.id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

/** Newest first, without test accounts and those that live elsewhere. */
export async function listNewest(
  db: Db,
  {
    before,
    isSuspended,
    rowsMax,
  }: { before: AccountId | null; isSuspended: boolean; rowsMax: number },
) {
  const rows = selectAccounts(db)
    .where("a.test_of", "is", null)
    .where("a.moved_to", "is", null)
    .orderBy("a.id", "desc")
    .limit(rowsMax);
  const filtered = isSuspended ? rows.where("a.suspended_at", "is not", null) : rows;
  return (before === null ? filtered : filtered.where("a.id", "<", before)).execute();
}

/**
 * Returns accounts whose name begins with a text, in any case, sorted by name; without test accounts and
 * those of other shards.
 */
export async function listByName(
  db: Db,
  page: { prefix: string; after: { nameKey: string; id: AccountId } | null; rowsMax: number },
) {
  const { prefix, after, rowsMax } = page;
  const isNamed: Expression<SqlBool> = sql<SqlBool>`${nameKey} >= lower(${prefix})
    and ${nameKey} < lower(${prefix}) || ${lastCharacter}`;
  const rows = selectAccounts(db)
    .where("a.test_of", "is", null)
    .where("a.moved_to", "is", null)
    .where(isNamed)
    .orderBy(nameKey)
    .orderBy("a.id")
    .limit(rowsMax);
  if (after === null) return rows.execute();
  return rows
    .where(sql<SqlBool>`(${nameKey}, a.id) > (${after.nameKey}, ${after.id}::uuid)`)
    .execute();
}

/** Suspends or resumes the account and its test account. */
export async function setSuspended(
  tx: Tx,
  id: AccountId,
  suspended: { reason: string } | null,
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({
      suspended_at: suspended === null ? null : sql<Date>`now()`,
      suspended_reason: suspended?.reason ?? null,
    })
    .where((row) => row.or([row("id", "=", id), row("test_of", "=", id)]))
    .execute();
}

export interface AccountChange {
  name?: string | undefined;
  /** Null: the book of the deployment. */
  priceBook?: string | null | undefined;
  discount?: Discount | null | undefined;
  openTasksMax?: number | undefined;
  webhookTailHours?: number | undefined;
  /** The test mode of the account and its test account. */
  testMode?: TestMode | undefined;
}

export async function updateAccount(tx: Tx, id: AccountId, change: AccountChange): Promise<void> {
  const { name, priceBook, discount, openTasksMax, webhookTailHours, testMode } = change;
  if (testMode !== undefined)
    await tx
      .updateTable("accounts")
      .set({ test_mode_off_at: testMode === "on" ? null : sql<Date>`now()` })
      .where((row) => row.or([row("id", "=", id), row("test_of", "=", id)]))
      .execute();
  const terms = withoutUndefined({
    price_schedule: priceBook,
    discount: discount === undefined ? undefined : (discount?.basisPoints ?? null),
    discount_until:
      discount === undefined ? undefined : discount === null ? null : new Date(discount.until),
  });
  if (Object.keys(terms).length > 0) {
    const own = tx.updateTable("accounts").set(terms);
    await own.where((row) => row.or([row("id", "=", id), row("test_of", "=", id)])).execute();
  }
  const set = withoutUndefined({
    name,
    open_tasks_max: openTasksMax,
    webhook_tail_hours: webhookTailHours,
  });
  if (Object.keys(set).length === 0) return;
  await tx.updateTable("accounts").set(set).where("id", "=", id).execute();
}

export async function insertNote(
  tx: Tx,
  note: { id: NoteId; accountId: AccountId; actorKind: StaffKind; actor: string; note: string },
): Promise<void> {
  await tx
    .insertInto("account_notes")
    .values({
      id: note.id,
      account_id: note.accountId,
      actor_kind: note.actorKind,
      actor: note.actor,
      note: note.note,
    })
    .execute();
}

/** Newest first. */
export async function listNotes(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: NoteId | null; rowsMax: number },
) {
  const rows = db
    .selectFrom("account_notes")
    .select(["id", "actor_kind as actorKind", "actor", "note", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(rowsMax);
  return (before === null ? rows : rows.where("id", "<", before)).execute();
}

/** Erases the notes on an erased account, as the owner of the schema or the service. */
export async function eraseAccountNotes(db: Db, accountId: AccountId): Promise<number> {
  const result = await db
    .deleteFrom("account_notes")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
