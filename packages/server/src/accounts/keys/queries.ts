import { sql } from "kysely";
import type { Db, Tx } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";
import type { Scope } from "../../db/tables/accounts.ts";
import type { AccountId, KeyId, PersonId } from "../../ids.ts";
import type { KeyLimits } from "../queries.ts";

/** The SQL of keys as their account sees them. */

export const liveKeysMax = 10;
/** Revoked keys stay in the list: an account must not grow it without end. */
export const madeInDayMax = 200;

/** Live keys are neither revoked nor expired. Neither count goes beyond its maximum. */
export async function countKeys(
  tx: Tx,
  accountId: AccountId,
): Promise<{ live: number; inDay: number }> {
  const { rows } = await sql<{ live: number; inDay: number }>`
    select (select count(*) from (
              select from api_keys where account_id = ${accountId} and revoked_at is null
                and (expires_at is null or expires_at > clock_timestamp()) limit ${liveKeysMax}) l) as live,
           (select count(*) from (
              select from api_keys where account_id = ${accountId}
                and id >= id_floor(now() - interval '1 day') limit ${madeInDayMax}) d) as "inDay"`.execute(
    tx,
  );
  return onlyRow(rows);
}

interface InsertedKey extends KeyLimits {
  id: KeyId;
  accountId: AccountId;
  name: string;
  hint: string;
  hash: Buffer;
  createdBy?: PersonId | null;
  createdByKey?: KeyId | null;
}

export async function insertKey(db: Db, key: InsertedKey): Promise<void> {
  await db
    .insertInto("api_keys")
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      hint: key.hint,
      hash: key.hash,
      expires_at: key.expiresAt,
      models: key.models,
      requests_per_minute_max: key.requestsPerMinuteMax,
      credits_max: key.creditsMax,
      scopes: key.scopes,
      created_by: key.createdBy ?? null,
      created_by_key: key.createdByKey ?? null,
    })
    .execute();
}

export interface KeyRow extends KeyLimits {
  id: KeyId;
  accountId: AccountId;
  isTest: boolean;
  name: string;
  hint: string;
  scopes: Scope[] | null;
  creditsUsed: number;
  createdBy: PersonId | null;
  createdByKey: KeyId | null;
  revokedAt: Date | null;
  usedAt: Date | null;
}

const columns = sql`
  k.id, k.account_id as "accountId", a.test_of is not null as "isTest", k.name, k.hint, k.scopes, k.models,
  k.requests_per_minute_max as "requestsPerMinuteMax", k.credits_max as "creditsMax",
  k.credits_used as "creditsUsed", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
  k.created_by as "createdBy", k.created_by_key as "createdByKey",
  (select used_at from key_uses where key_id = k.id) as "usedAt"`;

/** The keys of an account and of its test account, newest first, before the cursor. */
export async function listAccountKeys(
  db: Db,
  accountId: AccountId,
  { before, rowsMax }: { before: KeyId | null; rowsMax: number },
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${columns}
    from (select ${accountId}::uuid as id
          union all select id from accounts where test_of = ${accountId}) o
    join accounts a on a.id = o.id
    cross join lateral (
      select id, account_id, name, hint, scopes, models, requests_per_minute_max, credits_max,
             credits_used, expires_at, revoked_at, created_by, created_by_key
      from api_keys where account_id = a.id
        and id < coalesce(${before}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by id desc limit ${rowsMax}) k
    order by k.id desc limit ${rowsMax}`.execute(db);
  return rows;
}

/** A key of an account or of its test account. */
export async function findKey(
  db: Db,
  accountId: AccountId,
  keyId: KeyId,
): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${columns} from api_keys k join accounts a on a.id = k.account_id
    where k.id = ${keyId} and (a.id = ${accountId} or a.test_of = ${accountId})`.execute(db);
  return rows[0];
}

export async function updateKey(
  tx: Tx,
  keyId: KeyId,
  to: KeyLimits & { name: string; creditsUsed: number; isNewBudget: boolean },
): Promise<void> {
  await tx
    .updateTable("api_keys")
    .set({
      name: to.name,
      scopes: to.scopes,
      models: to.models,
      requests_per_minute_max: to.requestsPerMinuteMax,
      credits_max: to.creditsMax,
      credits_used: to.creditsUsed,
      ...(to.isNewBudget ? { budget_told: 0 } : {}),
      expires_at: to.expiresAt,
    })
    .where("id", "=", keyId)
    .execute();
}

/**
 * Returns the credits held by open tasks of a key. Under the account's lock nobody adds to them, and there
 * are few.
 */
export async function sumHeldBy(tx: Tx, accountId: AccountId, keyId: KeyId): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(t.credits), 0)::bigint as held
    from open_tasks o join tasks t on t.id = o.task_id
    where o.account_id = ${accountId} and t.key_id = ${keyId}`.execute(tx);
  return onlyRow(rows).held;
}

/** The uses of many keys at once. One that is known to the minute is left as it is. */
export async function saveKeyUses(
  db: Db,
  uses: readonly { keyId: KeyId; usedAt: Date }[],
): Promise<void> {
  await sql`
    insert into key_uses (key_id, used_at)
    select key_id, date_trunc('minute', used_at)
    from unnest(${uses.map(({ keyId }) => keyId)}::uuid[],
                ${uses.map(({ usedAt }) => usedAt)}::timestamptz[]) as u (key_id, used_at)
    order by key_id -- as every process does, so that none waits for another in a circle
    on conflict (key_id) do update set used_at = excluded.used_at
    where key_uses.used_at < excluded.used_at`.execute(db);
}
