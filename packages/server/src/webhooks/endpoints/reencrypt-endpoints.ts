import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { changedRows } from "../../db/only-row.ts";
import type { EndpointId } from "../../ids.ts";
import { type KeyRing, keyIdOf } from "../../key-ring.ts";
import { readEndpointSecret, storedEndpointSecret } from "./endpoint-secret.ts";

const rowsMax = 200;
const namedMax = 100;

interface Stored {
  id: EndpointId;
  stored: string;
  before: string | null;
}

/** Encrypts the secrets of endpoints with the first key of the ring. One that fails stops no other. */
export async function reencryptEndpoints(db: Db, ring: KeyRing) {
  const failures: { id: EndpointId; reason: string }[] = [];
  let reencrypted = 0;
  for await (const row of eachStored(db)) {
    const again = (text: string) =>
      keyIdOf(text) === ring.currentId
        ? text
        : storedEndpointSecret(ring, readEndpointSecret(ring, text, row.id), row.id);
    try {
      const stored = again(row.stored);
      const before = row.before === null ? null : again(row.before);
      if (stored === row.stored && before === row.before) continue;
      // What was rotated meanwhile stays as it is.
      const replaced = await sql`
        update webhook_endpoints set secret = ${stored}, secret_before = ${before}
        where id = ${row.id} and secret = ${row.stored}
          and secret_before is not distinct from ${row.before}`.execute(db);
      reencrypted += changedRows(replaced);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (failures.length < namedMax) failures.push({ id: row.id, reason });
    }
  }
  return { reencrypted, failures };
}

/** Adds how many secrets of endpoints each key has encrypted; `none`: they are stored as they are. */
export async function countEndpointSecrets(db: Db, counts: Map<string, number>): Promise<void> {
  for await (const { stored, before } of eachStored(db))
    for (const text of before === null ? [stored] : [stored, before]) {
      const keyId = keyIdOf(text) ?? "none";
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
}

async function* eachStored(db: Db): AsyncGenerator<Stored> {
  for (let after: EndpointId | null = null; ; ) {
    const page: { rows: Stored[] } = await sql<Stored>`
      select id, secret as stored, secret_before as before from webhook_endpoints
      where id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by id limit ${rowsMax}`.execute(db);
    yield* page.rows;
    after = page.rows.at(-1)?.id ?? null;
    if (after === null || page.rows.length < rowsMax) return;
  }
}
