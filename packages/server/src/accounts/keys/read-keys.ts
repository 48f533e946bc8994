import type { Db } from "../../db/database.ts";
import { cutPage, readIdCursor } from "../../http/paging.ts";
import { type AccountId, type KeyId, timeOf } from "../../ids.ts";
import { type KeyRow, listAccountKeys } from "./queries.ts";
import type { KeyAnswer, KeysQuery } from "./schema.ts";

/** The keys of an account and of its test account, newest first, the revoked ones too. */
export async function readKeys({ db }: { db: Db }, accountId: AccountId, query: KeysQuery) {
  const before = readIdCursor<KeyId>(query.cursor);
  const rows = await listAccountKeys(db, accountId, { before, rowsMax: query.limit + 1 });
  const { page, nextCursor } = cutPage(rows, query.limit, ({ id }) => id);
  return { items: page.map(viewKey), nextCursor };
}

export function viewKey(row: KeyRow): KeyAnswer {
  const { creditsMax, creditsUsed } = row;
  return {
    keyId: row.id,
    name: row.name,
    hint: row.hint,
    mode: row.isTest ? "test" : "live",
    status: statusOf(row),
    scopes: row.scopes,
    models: row.models,
    requestsPerMinuteMax: row.requestsPerMinuteMax,
    creditsMax,
    creditsLeft: creditsMax === null ? null : creditsMax - creditsUsed,
    createdAt: timeOf(row.id),
    createdBy: makerOf(row),
    expiresAt: row.expiresAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
    lastUsedAt: row.usedAt?.getTime() ?? null,
  };
}

function statusOf({ revokedAt, expiresAt }: KeyRow): KeyAnswer["status"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "live";
}

function makerOf({ createdBy, createdByKey }: KeyRow): KeyAnswer["createdBy"] {
  if (createdBy !== null) return { kind: "person", id: createdBy };
  if (createdByKey !== null) return { kind: "key", id: createdByKey };
  return { kind: "operator", id: null };
}
