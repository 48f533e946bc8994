import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import { invalid } from "../errors.ts";
import type { AccountId, TaskId } from "../ids.ts";

/** A caller's promise that requests with this key are one and the same. */
export interface Idempotency {
  key: string;
  fingerprint: Buffer;
}

/** No accepted body is deeper; a deeper one would exhaust the stack. */
const depthMax = 32;

/** Returns the fingerprint of a body, which is the same for every order of keys and layout of the same JSON. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(body, 0)).digest();
}

function canonicalJson(value: unknown, depth: number): string {
  if (depth > depthMax) throw invalid("body", `must not be nested deeper than ${depthMax} levels`);
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(",")}}`;
}

/** The task that was accepted for this key and body, if any. */
export async function findAccepted(
  db: Db,
  accountId: AccountId,
  idempotency: Idempotency,
): Promise<TaskId | undefined> {
  const row = await db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "response"])
    .where("account_id", "=", accountId)
    .where("key", "=", idempotency.key)
    .executeTakeFirst();
  return row?.fingerprint.equals(idempotency.fingerprint) ? row.response.taskId : undefined;
}

/** Deletes old keys, a bounded number at a time. */
export async function purgeAnswers(db: Db, rowsMax: number): Promise<void> {
  await sql`delete from idempotency_keys where (account_id, key) in (
    select account_id, key from idempotency_keys
    where created_at < now() - interval '7 days' order by created_at limit ${rowsMax})`.execute(db);
}
