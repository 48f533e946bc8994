import { recordAudit } from "../../audit/record-audit.ts";
import type { ShardContext } from "../../context.ts";
import { grantCreditsIn } from "../../credits/ledger.ts";
import { type InDirectory, type Tx, withDirectory } from "../../db/database.ts";
import { ApiError, invalid } from "../../errors.ts";
import type { AccountId, Actor, KeyId } from "../../ids.ts";
import type { KeyRing } from "../../secrets/key-ring.ts";
import { takeChange } from "../allowances.ts";
import type { KeyMode } from "../api-key.ts";
import { createKeyIn } from "../create-key.ts";
import { createTestAccount } from "../create-test-account.ts";
import { throwIfMoved } from "../forwarding-rows.ts";
import { type KeyLimits, lockAccount } from "../queries.ts";
import { findKey, type KeyRow } from "./queries.ts";
import { requireWithin } from "./within-limits.ts";

/** The context of issuing a key: the place of the account, and whether the deployment has a test mode. */
interface IssueContext extends ShardContext {
  keyRing: KeyRing | null;
  config: ShardContext["config"] & { testMode: { state: "on" | "off" } };
}

interface WantedKey extends KeyLimits {
  accountId: AccountId;
  name: string;
  mode: KeyMode;
}

const testCredits = 1_000_000;

/** Mails the person who has made a key. The domain of people implements it. */
export type NotifyIssued = (inDirectory: InDirectory, actor: Actor) => Promise<void>;

/**
 * Makes a key for the actor. A key for test mode belongs to the test account, which is created with the
 * first. The key is returned once: only its hash is stored.
 */
export async function issueKey(
  ctx: IssueContext,
  actor: Actor,
  { accountId, mode, name, ...limits }: WantedKey,
  notifyIssued: NotifyIssued | null = null,
): Promise<{ row: KeyRow; key: string }> {
  requireFuture(limits.expiresAt);
  return withDirectory(ctx, async (tx, inDirectory) => {
    const account = await lockAccount(tx, accountId);
    if (account === undefined)
      throw new ApiError("unauthorized", {
        message: {
          en: "There is no such account, or it is closed.",
          zh: "没有此账户，或账户已关闭。",
        },
      });
    throwIfMoved(account.movedTo);
    if (mode === "test" && (account.isTestModeOff || ctx.config.testMode.state === "off"))
      throw new ApiError("test_mode_off");
    if (account.isTest && mode === "live")
      throw invalid("mode", "must be test: this is a test account");
    if (actor.kind === "key") requireWithin(await requireOwn(tx, accountId, actor.keyId), limits);
    const ofAccount =
      mode === "live" || account.isTest ? accountId : await ensureTestAccount(ctx, tx, accountId);
    const { keyId, key } = await createKeyIn(tx, {
      accountId: ofAccount,
      mode,
      name,
      ...limits,
      createdBy: actor.kind === "person" && actor.isStaff !== true ? actor.personId : null,
      createdByKey: actor.kind === "key" ? actor.keyId : null,
    });
    const after = { name, mode, ...auditedLimits(limits) };
    await takeChange(tx, actor, accountId);
    await recordAudit(tx, actor, { accountId, action: "key.create", object: keyId, after });
    await notifyIssued?.(inDirectory, actor);
    return { row: await requireKey(tx, accountId, keyId), key };
  });
}

/** The test account of an account. With its first key it gets credits that nobody paid for. */
async function ensureTestAccount(
  ctx: Omit<IssueContext, "db">,
  tx: Tx,
  ofAccount: AccountId,
): Promise<AccountId> {
  const { accountId, isNew } = await createTestAccount({ ...ctx, db: tx }, ofAccount);
  if (isNew) await grantCreditsIn(tx, { accountId, credits: testCredits, note: "test credits" });
  return accountId;
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
