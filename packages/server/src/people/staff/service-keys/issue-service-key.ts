import { newServiceKey } from "../../../accounts/api-key.ts";
import { recordAudit } from "../../../audit/record-audit.ts";
import { type DirectoryDb, inTransaction } from "../../../db/database.ts";
import type { ServiceScope } from "../../../db/tables/admin.ts";
import { ApiError } from "../../../errors.ts";
import { newId, type PersonActor, type ServiceKeyId } from "../../../ids.ts";
import { notifyOperators } from "../notify-operators.ts";
import { countLiveKeys, insertServiceKey, liveKeysMax, lockServiceKeys } from "./queries.ts";

export const expiresInDays = { usual: 90, max: 366 };
const dayMs = 24 * 60 * 60_000;

interface WantedKey {
  name: string;
  scopes: ServiceScope[];
  /** Null: from everywhere. */
  networks: string[] | null;
  expiresInDays: number;
}

/**
 * Issues a key for programs, which acts for the person who issued it. Only a person issues one: a key that
 * could would outlive its own end. The other operators are notified.
 */
export async function issueServiceKey(
  { db }: { db: DirectoryDb },
  actor: PersonActor,
  wanted: WantedKey,
): Promise<{ serviceKeyId: ServiceKeyId; key: string; expiresAt: Date }> {
  const { name, scopes, networks } = wanted;
  const { key, hint, hash } = newServiceKey();
  const expiresAt = new Date(Date.now() + wanted.expiresInDays * dayMs);
  const id = newId<ServiceKeyId>(0);
  await inTransaction(db, async (tx) => {
    await lockServiceKeys(tx);
    if ((await countLiveKeys(tx)) >= liveKeysMax) throw new ApiError("too_many_service_keys");
    const row = { id, name, hint, hash, scopes, networks, issuedBy: actor.personId, expiresAt };
    await insertServiceKey(tx, row);
    await recordAudit(tx, actor, {
      accountId: null,
      action: "service_key.create",
      object: id,
      after: { name, scopes, networks, expiresAt: expiresAt.toISOString() },
    });
    await notifyOperators(tx, actor, { kind: "serviceKeyIssued", name, scopes });
  });
  return { serviceKeyId: id, key, expiresAt };
}
