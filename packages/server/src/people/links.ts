import { type RawBuilder, sql } from "kysely";
import type { DirectoryDb } from "../db/database.ts";
import { inMs } from "../db/in-ms.ts";
import { ApiError } from "../errors.ts";
import {
  type AccountId,
  type LinkId,
  type MemberRole,
  newId,
  type PersonId,
  type StaffRole,
} from "../ids.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { hashToken, isWellFormedToken, newToken } from "./token.ts";

/** The purpose of a link. */
export type LinkPurpose =
  | { kind: "member"; accountId: AccountId; role: MemberRole; createdBy: PersonId | null }
  | {
      kind: "staff";
      role: StaffRole;
      createdBy: PersonId | null;
      /** The account of which the person who accepts becomes an owner too. */
      ownedAccountId: AccountId | null;
    }
  | { kind: "password"; personId: PersonId }
  | { kind: "email"; personId: PersonId };

export type Link = { id: LinkId; email: string } & LinkPurpose;

const hour = 60 * 60_000;
/** Links to set a password are short-lived, invitations last until somebody is back from a weekend. */
export const linkHoursMax = { member: 7 * 24, staff: 3 * 24, password: 1, email: 24 } as const;

/** The page to which a link leads. The token is in the fragment, which browsers do not send to servers. */
const pages = {
  member: "invitation",
  staff: "invitation",
  password: "reset-password",
  email: "confirm-email",
} as const;

export function linkUrl(publicUrl: string, kind: LinkPurpose["kind"], token: string): string {
  return `${publicUrl}/console/${pages[kind]}#token=${token}`;
}

/** A link without a token: it gets one when it is mailed or printed. */
export async function insertLink(
  db: DirectoryDb,
  email: string,
  purpose: LinkPurpose,
  { awaitsApproval = false } = {},
): Promise<LinkId> {
  const id = newId<LinkId>(0);
  const { kind } = purpose;
  await db
    .insertInto("one_time_links")
    .values({
      id,
      kind,
      email,
      hash: null,
      person_id: "personId" in purpose ? purpose.personId : null,
      account_id: kind === "member" ? purpose.accountId : null,
      owned_account_id: kind === "staff" ? purpose.ownedAccountId : null,
      role: "role" in purpose ? purpose.role : null,
      created_by: "createdBy" in purpose ? purpose.createdBy : null,
      awaits_approval: awaitsApproval,
      expires_at: inMs(linkHoursMax[kind] * hour),
    })
    .execute();
  return id;
}

/** Gives a link a new token; one that it had works no longer. Undefined: the link is used or has expired. */
export async function renewToken(
  db: DirectoryDb,
  id: LinkId,
): Promise<(Link & { token: string }) | undefined> {
  const { token, hash } = newToken();
  const row = await db
    .updateTable("one_time_links")
    .set({ hash })
    .where("id", "=", id)
    .where("awaits_approval", "=", false)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning(columns)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...linkOf(row), token };
}

/** Takes the token of a link back: nobody got it. */
export async function forgetToken(db: DirectoryDb, id: LinkId): Promise<void> {
  await db.updateTable("one_time_links").set({ hash: null }).where("id", "=", id).execute();
}

/** Has a link mailed; it gets its token then. */
export async function mailLink(
  db: DirectoryDb,
  { linkId, kind, email }: { linkId: LinkId; kind: LinkPurpose["kind"]; email: string },
): Promise<void> {
  const content = { kind: "link", linkId } as const;
  await queueMail(db, { recipient: email, content, hoursMax: linkHoursMax[kind] });
}

/** Returns the token of a link that is not mailed: the operator who runs the command hands it over. */
export async function tokenByHand(db: DirectoryDb, linkId: LinkId): Promise<{ token: string }> {
  const link = await renewToken(db, linkId);
  if (link === undefined) throw new Error("a link that was just made has expired");
  return { token: link.token };
}

/** Returns the link of a token without using it. */
export async function findLink(db: DirectoryDb, token: string): Promise<Link | undefined> {
  return isWellFormedToken(token) ? findByHash(db, hashToken(token)) : undefined;
}

async function findByHash(db: DirectoryDb, hash: Buffer): Promise<Link | undefined> {
  const row = await db
    .selectFrom("one_time_links")
    .select(columns)
    .where("hash", "=", hash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row === undefined ? undefined : linkOf(row);
}

/** Uses a link up: of two that try at once, one gets it. Throws if it is used, expired or of another kind. */
export async function takeLink<Kind extends LinkPurpose["kind"]>(
  db: DirectoryDb,
  token: string,
  kinds: readonly Kind[],
): Promise<Extract<Link, { kind: Kind }>> {
  const taken = isWellFormedToken(token)
    ? await takeLinkByHash(db, hashToken(token), kinds)
    : undefined;
  if (taken === undefined) throw new ApiError("link_invalid");
  return taken;
}

/**
 * Takes a link by the hash of its token, for callers that have kept only the hash. Undefined: there is no
 * such link.
 */
export async function takeLinkByHash<Kind extends LinkPurpose["kind"]>(
  db: DirectoryDb,
  hash: Buffer,
  kinds: readonly Kind[],
): Promise<Extract<Link, { kind: Kind }> | undefined> {
  const found = await findByHash(db, hash);
  const isOfKind = (link: Link): link is Extract<Link, { kind: Kind }> =>
    (kinds as readonly string[]).includes(link.kind);
  if (found === undefined || !isOfKind(found)) return undefined;
  const { numDeletedRows } = await db
    .deleteFrom("one_time_links")
    .where("id", "=", found.id)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows === 1n ? found : undefined;
}

const columns = [
  "id",
  "kind",
  "email",
  "person_id as personId",
  "account_id as accountId",
  "owned_account_id as ownedAccountId",
  "role",
  "created_by as createdBy",
] as const;

interface Row {
  id: LinkId;
  kind: Link["kind"];
  email: string;
  personId: PersonId | null;
  accountId: AccountId | null;
  ownedAccountId: AccountId | null;
  role: string | null;
  createdBy: PersonId | null;
}

/** The checks of the table say which columns a kind has. */
function linkOf(row: Row): Link {
  return row as Link;
}

export async function countLinksOf(
  db: DirectoryDb,
  personId: PersonId,
  kind: "password" | "email",
): Promise<number> {
  const rows = await db
    .selectFrom("one_time_links")
    .select("id")
    .where("person_id", "=", personId)
    .where("kind", "=", kind)
    .where(isLive())
    .execute();
  return rows.length;
}

/** Links of a kind that a person has asked for before. */
export async function deleteLinksOf(
  db: DirectoryDb,
  personId: PersonId,
  kinds: readonly ("password" | "email")[],
): Promise<void> {
  await db
    .deleteFrom("one_time_links")
    .where("person_id", "=", personId)
    .where("kind", "in", kinds)
    .execute();
}

export function isLive(): RawBuilder<boolean> {
  return sql<boolean>`one_time_links.expires_at > now()`;
}

/** Links and sessions that have expired, a few at a time. */
export async function deleteExpired(db: DirectoryDb, rowsMax: number): Promise<void> {
  for (const table of ["one_time_links", "sessions"] as const)
    await sql`delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where expires_at <= now() order by expires_at limit ${rowsMax})`.execute(
      db,
    );
}
