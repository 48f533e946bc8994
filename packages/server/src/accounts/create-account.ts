import type { ShardContext } from "../context.ts";
import { readShard } from "../db/this-shard.ts";
import { type AccountId, newId } from "../ids.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { insertForwardingRow } from "./forwarding-rows.ts";
import { insertAccount } from "./queries.ts";
import { newWebhookSecret, storedSecret } from "./webhook-secret.ts";

const openTasksDefault = 3;
/** Owners are mailed below it: 33 videos of 5 s at 720p by the book A, 5 by B. They can change it. */
const creditsLowDefault = 1_000;

/**
 * Creates an account in the shard of the context, with a forwarding row in the directory if that is another
 * shard.
 */
export async function createAccount(
  ctx: ShardContext & { keyRing: KeyRing | null },
  options: {
    name: string;
    priceBook?: string | undefined;
    openTasksMax?: number | undefined;
  },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  const accountId = newId<AccountId>(await readShard(ctx.db));
  const webhookSecret = newWebhookSecret();
  await insertForwardingRow(ctx, { id: accountId, name: options.name });
  await insertAccount(ctx.db, {
    id: accountId,
    name: options.name,
    priceBook: options.priceBook ?? null,
    openTasksMax: options.openTasksMax ?? openTasksDefault,
    creditsLow: creditsLowDefault,
    webhookSecret: storedSecret(ctx.keyRing, webhookSecret, accountId),
  });
  return { accountId, webhookSecret };
}
