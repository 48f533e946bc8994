import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { ApiError } from "../errors.ts";

/** A caller's promise that requests with this key are one and the same. */
export interface Idempotency {
  key: string;
  fingerprint: Buffer;
}

/** The same for every order of keys and every layout of the same JSON. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(body)).digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** The answer given before under this key, if any. The caller holds the account's row lock. */
export async function findAnswer(
  tx: Tx,
  accountId: string,
  idempotency: Idempotency,
): Promise<unknown> {
  const row = await tx
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "response"])
    .where("account_id", "=", accountId)
    .where("key", "=", idempotency.key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(idempotency.fingerprint))
    throw new ApiError("idempotency_key_reused");
  return row.response;
}

export async function storeAnswer(
  tx: Tx,
  accountId: string,
  idempotency: Idempotency,
  response: unknown,
): Promise<void> {
  await tx
    .insertInto("idempotency_keys")
    .values({
      account_id: accountId,
      key: idempotency.key,
      fingerprint: idempotency.fingerprint,
      response: JSON.stringify(response),
    })
    .execute();
}

/** Forgets old keys, a bounded number at a time. */
export async function purgeAnswers(db: Db, rowsMax: number): Promise<void> {
  await sql`delete from idempotency_keys where (account_id, key) in (
    select account_id, key from idempotency_keys
    where created_at < now() - interval '7 days' order by created_at limit ${rowsMax})`.execute(db);
}
