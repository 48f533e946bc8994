import type { Place } from "../context.ts";
import type { PriceSchedule } from "../db/tables/accounts.ts";
import { readShard } from "../db/this-shard.ts";
import { type AccountId, newId } from "../ids.ts";
import type { KeyRing } from "../key-ring.ts";
import { insertAccount } from "./queries.ts";
import { insertSignpost } from "./signposts.ts";
import { newWebhookSecret, storedSecret } from "./webhook-secret.ts";

const openTasksDefault = 3;

/** In the shard of the context; elsewhere than at home, with a signpost there. */
export async function createAccount(
  ctx: Place & { keyRing: KeyRing | null },
  options: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  const accountId = newId<AccountId>(await readShard(ctx.db));
  const webhookSecret = newWebhookSecret();
  await insertSignpost(ctx, { id: accountId, name: options.name });
  await insertAccount(ctx.db, {
    id: accountId,
    name: options.name,
    priceSchedule: options.priceSchedule ?? null,
    openTasksMax: options.openTasksMax ?? openTasksDefault,
    webhookSecret: storedSecret(ctx.keyRing, webhookSecret, accountId),
  });
  return { accountId, webhookSecret };
}
