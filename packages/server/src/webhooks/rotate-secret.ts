import type { Caller } from "../accounts/queries.ts";
import { newWebhookSecret } from "../accounts/webhook-secret.ts";
import type { Context } from "../context.ts";
import { readSecret, replaceSecret } from "./record.ts";

/** Rotates the secret; the previous one also signs for the overlap, so that receivers can switch. */
export async function rotateSecret(ctx: Context, caller: Caller, overlapHours: number) {
  await replaceSecret(ctx.db, caller.id, newWebhookSecret(), overlapHours);
  return showSecret(ctx, caller);
}

export async function showSecret(ctx: Context, caller: Caller) {
  const { secret, previousUntil } = await readSecret(ctx.db, caller.id);
  return { secret, previousUntil: previousUntil?.getTime() ?? null };
}
