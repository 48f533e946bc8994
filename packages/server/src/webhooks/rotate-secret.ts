import type { Caller } from "../accounts/queries.ts";
import { newWebhookSecret, readStoredSecret, storedSecret } from "../accounts/webhook-secret.ts";
import type { Context } from "../context.ts";
import { readSecret, replaceSecret } from "./record.ts";

/** Rotates the secret; the previous one also signs for the overlap, so that receivers can switch. */
export async function rotateSecret(ctx: Context, caller: Caller, overlapHours: number) {
  const stored = storedSecret(ctx.keyRing, newWebhookSecret(), caller.id);
  await replaceSecret(ctx.db, caller.id, stored, overlapHours);
  return showSecret(ctx, caller);
}

export async function showSecret(ctx: Context, caller: Caller) {
  const { stored, previousUntil } = await readSecret(ctx.db, caller.id);
  const secret = readStoredSecret(ctx.keyRing, stored, caller.id);
  return { secret, previousUntil: previousUntil?.getTime() ?? null };
}
