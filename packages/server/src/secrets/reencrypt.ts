import { type RawBuilder, sql } from "kysely";
import type { SharedDb } from "../db/database.ts";
import { changedRows } from "../db/only-row.ts";
import { decrypt, encrypt, isEncrypted, type KeyRing, keyIdOf } from "./key-ring.ts";
import type { SecretKind } from "./kinds.ts";

const rowsMax = 200;
const failuresMax = 100;

interface Row {
  id: string;
  /** In the order of the kind's columns. */
  texts: readonly (string | null)[];
}

interface Progress {
  /** Rows of which a secret was encrypted again. */
  reencrypted: number;
  failed: number;
  /** The first of those that failed. */
  failures: { id: string; reason: string }[];
}

/**
 * Encrypts every secret of a kind with the first key of the ring, while the service runs. A secret that cannot
 * be read is counted and left as it is. Can be stopped and started again: what is done is passed over.
 */
export async function reencrypt(db: SharedDb, kind: SecretKind, ring: KeyRing): Promise<Progress> {
  const progress: Progress = { reencrypted: 0, failed: 0, failures: [] };
  const again = (text: string | null, id: string) => {
    if (text === null || keyIdOf(text) === ring.currentId) return text;
    const row = kind.rowOf(id);
    return encrypt(ring, isEncrypted(text) ? decrypt(ring, text, row) : text, row);
  };
  for await (const page of pagesOf(db, kind)) {
    const changes: { from: Row; to: Row }[] = [];
    for (const from of page) {
      try {
        const to = { id: from.id, texts: from.texts.map((text) => again(text, from.id)) };
        if (to.texts.some((text, at) => text !== from.texts[at])) changes.push({ from, to });
      } catch (error) {
        progress.failed += 1;
        const reason = error instanceof Error ? error.message : String(error);
        if (progress.failures.length < failuresMax) progress.failures.push({ id: from.id, reason });
      }
    }
    if (changes.length > 0) progress.reencrypted += await replace(db, kind, changes);
  }
  return progress;
}

/** Adds how many secrets of a kind each key has encrypted; `none`: they are stored as they are. */
export async function countByKey(
  db: SharedDb,
  kind: SecretKind,
  counts: Map<string, number>,
): Promise<void> {
  for await (const page of pagesOf(db, kind))
    for (const text of page.flatMap(({ texts }) => texts)) {
      if (text === null) continue;
      const keyId = keyIdOf(text) ?? "none";
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
}

async function* pagesOf(db: SharedDb, kind: SecretKind): AsyncGenerator<Row[]> {
  const { table, id, columns, where = "true" } = kind;
  const texts = sql.join(columns.map((column) => sql.ref(column)));
  for (let after: string | null = null; ; ) {
    const isAfter: RawBuilder<unknown> =
      after === null ? sql`true` : sql`${sql.ref(id.column)} > ${after}`;
    const page: { rows: Row[] } = await sql<Row>`
      select ${sql.ref(id.column)} as id, array[${texts}] as texts from ${sql.table(table)}
      where ${isAfter} and ${sql.raw(where)}
      order by ${sql.ref(id.column)} limit ${rowsMax}`.execute(db);
    yield page.rows;
    after = page.rows.at(-1)?.id ?? null;
    if (after === null || page.rows.length < rowsMax) return;
  }
}

/** Replaces what is still as it was read: a rotation in between wins. */
async function replace(
  db: SharedDb,
  { table, id, columns }: SecretKind,
  changes: readonly { from: Row; to: Row }[],
): Promise<number> {
  const textsOf = (side: "from" | "to", at: number) =>
    sql`${changes.map((change) => change[side].texts[at] ?? null)}::text[]`;
  const replaced = await sql`
    update ${sql.table(table)} as stored
    set ${sql.join(columns.map((column, at) => sql`${sql.ref(column)} = ${sql.ref(`change.to_${at}`)}`))}
    from unnest(${changes.map(({ from }) => from.id)}::${sql.raw(id.type)}[],
                ${sql.join(columns.map((_column, at) => textsOf("from", at)))},
                ${sql.join(columns.map((_column, at) => textsOf("to", at)))})
      as change (id, ${sql.join([
        ...columns.map((_column, at) => sql.ref(`from_${at}`)),
        ...columns.map((_column, at) => sql.ref(`to_${at}`)),
      ])})
    where ${sql.ref(`stored.${id.column}`)} = change.id
      and ${sql.join(
        columns.map(
          (column, at) =>
            sql`${sql.ref(`stored.${column}`)} is not distinct from ${sql.ref(`change.from_${at}`)}`,
        ),
        sql` and `,
      )}`.execute(db);
  return changedRows(replaced);
}
