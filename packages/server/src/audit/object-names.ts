import { sql } from "kysely";
import type { Db, DirectoryDb } from "../db/database.ts";
import { type AccountId, parseId } from "../ids.ts";

interface Entry {
  action: string;
  object: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** The prefixes of the actions on an object. */
const kindsOf = {
  assets: ["asset", "declaration"],
  api_keys: ["key"],
  webhook_endpoints: ["endpoint"],
  people: ["member"],
} as const;

/**
 * The names of what entries of an account changed: as it is called now, or as the entry itself says.
 * People are in the first shard, and all other objects are the account's own.
 */
export async function readObjectNames(
  { db, directory }: { db: Db; directory: { db: DirectoryDb } },
  accountId: AccountId,
  entries: readonly Entry[],
): Promise<(entry: Entry) => string | null> {
  const objectsOf = (table: keyof typeof kindsOf) =>
    entries
      .filter(({ action }) => kindsOf[table].some((kind) => action.startsWith(`${kind}.`)))
      .map(({ object }) => object);
  const ids = (table: keyof typeof kindsOf) =>
    objectsOf(table).filter((object) => parseId(object) !== undefined);
  const numbers = objectsOf("assets").filter((object) => /^\d{1,18}$/.test(object));
  const { rows: own } = await sql<Named>`
    select id::text, name from assets where id = any (${numbers}::bigint[]) and account_id = ${accountId}
    union all select id::text, name from api_keys
      where id = any (${ids("api_keys")}::uuid[]) and account_id = ${accountId}
    union all select id::text, url from webhook_endpoints
      where id = any (${ids("webhook_endpoints")}::uuid[]) and account_id = ${accountId}`.execute(
    db,
  );
  const { rows: people } = await sql<Named>`
    select id::text, name from people where id = any (${ids("people")}::uuid[])`.execute(
    directory.db,
  );
  const names = new Map([...own, ...people].map(({ id, name }) => [id, name]));
  return ({ object, before, after }) => names.get(object) ?? nameIn(after) ?? nameIn(before);
}

interface Named {
  id: string;
  name: string | null;
}

/** One that is gone is called as it was. */
function nameIn(fields: Record<string, unknown> | null): string | null {
  const name = fields?.["name"] ?? fields?.["email"] ?? fields?.["url"];
  return typeof name === "string" ? name : null;
}
