import { createHash } from "node:crypto";
import { withClient } from "./services/with-client.ts";
import type { Stack } from "./stack.ts";

/** Nobody's: no mail is sent to it. */
export const firstEmail = "operator@example.com";

const isThereOperator = "select exists (select from staff where role = 'operator') as found";
const accountOfKey = "select account_id from api_keys where hash = $1";

/**
 * A link, good once, whose reader becomes operator and owner of the account of the key. Every start makes a
 * new one until one was used; null: one was.
 */
export async function inviteFirstPerson(stack: Stack, key: string): Promise<string | null> {
  const hash = createHash("sha256").update(key).digest();
  const accountId = await withClient(stack.databaseOwnerUrl, async (db) => {
    const { rows: operators } = await db.query<{ found: boolean }>(isThereOperator);
    if (operators[0]?.found) return null;
    const { rows } = await db.query<{ account_id: string }>(accountOfKey, [hash]);
    return rows[0]?.account_id ?? null;
  });
  if (accountId === null) return null;
  const invite = ["person", "create-operator", "--email", firstEmail, "--account", accountId];
  const { link } = await stack.operate(...invite);
  return String(link);
}
