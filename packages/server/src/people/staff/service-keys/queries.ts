import { sql } from "kysely";
import type { Connections } from "../../../db/connections.ts";
import type { DirectoryDb } from "../../../db/database.ts";
import type { DirectoryTables } from "../../../db/schema.ts";
import type { ServiceScope } from "../../../db/tables/admin.ts";
import type { PersonId, ServiceKeyId } from "../../../ids.ts";

/** The SQL of service keys. They are in the directory, like the people who issue them. */

/** Keys that have neither expired nor been revoked. */
export const liveKeysMax = 100;
/** Keys that are listed, those that are over too. */
const listedMax = 500;

/** The rights of a request with a service key. */
export interface ServiceCaller {
  id: ServiceKeyId;
  issuedBy: PersonId;
  scopes: ServiceScope[];
  /** Whether the address is in one of the allowed networks. */
  isAllowedHere: boolean;
}

/**
 * Finds a key that is valid and whose issuer is an operator, with a prepared statement without the query
 * builder: it runs before every request with such a key. `address`: null if it is not known, which no
 * network contains.
 */
export async function findServiceCaller(
  pool: Connections<DirectoryTables>,
  hash: Buffer,
  address: string | null,
): Promise<ServiceCaller | undefined> {
  const { rows } = await pool.query<ServiceCaller & { isLate: boolean }>({
    name: "find service key",
    text: `select k.id, k.issued_by as "issuedBy", k.scopes,
                  k.networks is null or coalesce($2::inet <<= any (k.networks), false) as "isAllowedHere",
                  coalesce(k.last_used_at < now() - interval '1 minute', true) as "isLate"
           from service_keys k join staff s on s.person_id = k.issued_by and s.role = 'operator'
           where k.hash = $1 and k.revoked_at is null and k.expires_at > now()`,
    values: [hash, address],
  });
  const [found] = rows;
  if (found === undefined) return undefined;
  const { isLate, ...caller } = found;
  if (isLate && caller.isAllowedHere)
    await pool.query({
      name: "touch service key",
      text: `update service_keys set last_used_at = date_trunc('minute', now()) where id = $1`,
      values: [caller.id],
    });
  return caller;
}

/** Serializes the issuing of service keys, so that the limit holds. */
export async function lockServiceKeys(db: DirectoryDb): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('service keys', 0))`.execute(db);
}

export async function countLiveKeys(db: DirectoryDb): Promise<number> {
  const { count } = await db
    .selectFrom("service_keys")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertServiceKey(
  db: DirectoryDb,
  key: {
    id: ServiceKeyId;
    name: string;
    hint: string;
    hash: Buffer;
    scopes: ServiceScope[];
    networks: string[] | null;
    issuedBy: PersonId;
    expiresAt: Date;
  },
): Promise<void> {
  const { issuedBy, expiresAt, networks, ...rest } = key;
  await db
    .insertInto("service_keys")
    .values({
      ...rest,
      networks:
        networks === null
          ? null
          : sql<string[]>`array(select network(n::inet)::cidr from unnest(${networks}::text[]) n)`,
      issued_by: issuedBy,
      expires_at: expiresAt,
    })
    .execute();
}

export type ServiceKeyRow = Awaited<ReturnType<typeof listServiceKeys>>[number];

function selectServiceKeys(db: DirectoryDb) {
  return db
    .selectFrom("service_keys")
    .select([
      "id",
      "name",
      "hint",
      "scopes",
      sql<string[] | null>`networks::text[]`.as("networks"),
      "issued_by as issuedBy",
      "created_at as createdAt",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
      "revoked_at as revokedAt",
    ]);
}

/** Newest first, those that are over too. */
export async function listServiceKeys(db: DirectoryDb) {
  return selectServiceKeys(db).orderBy("id", "desc").limit(listedMax).execute();
}

export async function findServiceKey(
  db: DirectoryDb,
  id: ServiceKeyId,
): Promise<ServiceKeyRow | undefined> {
  return selectServiceKeys(db).where("id", "=", id).executeTakeFirst();
}

/** Returns the name of the key, or undefined if no key with this id was valid. */
export async function markServiceKeyRevoked(
  db: DirectoryDb,
  id: ServiceKeyId,
  by: PersonId | null,
): Promise<{ name: string } | undefined> {
  return db
    .updateTable("service_keys")
    .set({ revoked_at: sql<Date>`now()`, revoked_by: by })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("name")
    .executeTakeFirst();
}

/** Revokes what somebody issued who is no operator any longer: the keys stay dead if that person comes back. */
export async function revokeServiceKeysOf(
  db: DirectoryDb,
  personId: PersonId,
): Promise<ServiceKeyId[]> {
  const revoked = await db
    .updateTable("service_keys")
    .set({ revoked_at: sql<Date>`now()` })
    .where("issued_by", "=", personId)
    .where("revoked_at", "is", null)
    .returning("id")
    .execute();
  return revoked.map(({ id }) => id);
}
