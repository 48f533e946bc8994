import { takeChange } from "../accounts/allowances.ts";
import { newWebhookSecret, readStoredSecret, storedSecret } from "../accounts/webhook-secret.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/database.ts";
import type { AccountId, Actor } from "../ids.ts";
import { readSecret, replaceSecret } from "./delivery-queries.ts";

/** Rotates the secret; the previous one also signs for the overlap, so that receivers can switch. */
export async function rotateSecret(
  ctx: Context,
  actor: Actor,
  accountId: AccountId,
  overlapHours: number,
) {
  const stored = storedSecret(ctx.keyRing, newWebhookSecret(), accountId);
  await inTransaction(ctx.db, async (tx) => {
    await replaceSecret(tx, accountId, stored, overlapHours);
    await takeChange(tx, actor, accountId);
    const change = { accountId, action: "account.rotate_secret", object: accountId } as const;
    await recordAudit(tx, actor, { ...change, after: { overlapHours } });
  });
  return showSecret(ctx, { id: accountId });
}

export async function showSecret(ctx: Context, account: { id: AccountId }) {
  const { stored, previousUntil } = await readSecret(ctx.db, account.id);
  const secret = readStoredSecret(ctx.keyRing, stored, account.id);
  return { secret, previousUntil: previousUntil?.getTime() ?? null };
}
