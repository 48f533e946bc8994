import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Place } from "../../context.ts";
import { inTransaction, type Tx } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { AccountId, KeyId } from "../../ids.ts";
import type { KeyRing } from "../../key-ring.ts";
import { takeChange } from "../allowances.ts";
import type { KeyMode } from "../api-key.ts";
import { addKey } from "../create-key.ts";
import { type KeyLimits, lockAccount } from "../queries.ts";
import { throwIfMoved } from "../signposts.ts";
import { openTestAccount } from "./open-test-account.ts";
import { findKey, type KeyRow } from "./queries.ts";
import { requireWithin } from "./within-limits.ts";

interface WantedKey extends KeyLimits {
  accountId: AccountId;
  name: string;
  mode: KeyMode;
}

/**
 * Makes a key for whoever acts. One for test mode belongs to the test account, which is opened with the
 * first. The key is returned once: only its hash is stored.
 */
export async function issueKey(
  ctx: Place & { keyRing: KeyRing | null },
  actor: Actor,
  { accountId, mode, name, ...limits }: WantedKey,
): Promise<{ row: KeyRow; key: string }> {
  requireFuture(limits.expiresAt);
  return inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account === undefined)
      throw new ApiError("unauthorized", { message: "There is no such account, or it is closed." });
    throwIfMoved(account.movedTo);
    if (account.isTest && mode === "live")
      throw invalid("mode", "must be test: this is a test account");
    if (actor.kind === "key") requireWithin(await requireOwn(tx, accountId, actor.keyId), limits);
    const ofAccount =
      mode === "live" || account.isTest ? accountId : await openTestAccount(ctx, tx, accountId);
    const { keyId, key } = await addKey(tx, {
      accountId: ofAccount,
      mode,
      name,
      ...limits,
      createdBy: actor.kind === "person" ? actor.personId : null,
      createdByKey: actor.kind === "key" ? actor.keyId : null,
    });
    const after = { name, mode, ...auditedLimits(limits) };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "key.create", object: keyId, after });
    return { row: await requireKey(tx, accountId, keyId), key };
  });
}

export function requireFuture(expiresAt: Date | null): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw invalid("expiresAt", "must be in the future");
}

/** A key of the account that is not revoked. */
export async function requireKey(tx: Tx, accountId: AccountId, keyId: KeyId): Promise<KeyRow> {
  const key = await findKey(tx, accountId, keyId);
  if (key === undefined || key.revokedAt !== null) throw new ApiError("key_not_found");
  return key;
}

/** The key that acts, as it is now: it may have been revoked or changed a moment ago. */
export async function requireOwn(tx: Tx, accountId: AccountId, keyId: KeyId): Promise<KeyRow> {
  const key = await findKey(tx, accountId, keyId);
  const isOver = key?.expiresAt !== null && (key?.expiresAt.getTime() ?? 0) <= Date.now();
  if (key === undefined || key.revokedAt !== null || isOver) throw new ApiError("unauthorized");
  if (!key.scopes?.includes("keys")) throw new ApiError("scope_missing");
  return key;
}

/** Limits as they are written down. */
export function auditedLimits(limits: KeyLimits) {
  const { scopes, models, requestsPerMinuteMax, creditsMax, expiresAt } = limits;
  return {
    scopes,
    models,
    requestsPerMinuteMax,
    creditsMax,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
