import type { Db } from "../db/database.ts";
import type { PriceSchedule } from "../db/tables/accounts.ts";
import { type AccountId, newId } from "../ids.ts";
import type { KeyRing } from "../key-ring.ts";
import { insertAccount } from "./queries.ts";
import { newWebhookSecret, storedSecret } from "./webhook-secret.ts";

const openTasksDefault = 3;
const onlyShard = 0; // one database today; with more, new accounts are spread over the shards

export async function createAccount(
  { db, keyRing }: { db: Db; keyRing: KeyRing | null },
  options: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number },
): Promise<{ accountId: AccountId; webhookSecret: string }> {
  const accountId = newId<AccountId>(onlyShard);
  const webhookSecret = newWebhookSecret();
  await insertAccount(db, {
    id: accountId,
    name: options.name,
    priceSchedule: options.priceSchedule ?? null,
    openTasksMax: options.openTasksMax ?? openTasksDefault,
    webhookSecret: storedSecret(keyRing, webhookSecret, accountId),
  });
  return { accountId, webhookSecret };
}
