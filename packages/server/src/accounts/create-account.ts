import { randomBytes } from "node:crypto";
import type { Db } from "../db/database.ts";
import type { PriceSchedule } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { insertAccount } from "./queries.ts";

const openTasksDefault = 3;
const onlyShard = 0; // one database today; more of them spread new accounts over their numbers
const webhookSecretBytes = 24;

export async function createAccount(
  db: Db,
  options: { name: string; priceSchedule?: PriceSchedule; openTasksMax?: number },
): Promise<{ accountId: string; webhookSecret: string }> {
  const accountId = newId(onlyShard);
  const webhookSecret = `whsec_${randomBytes(webhookSecretBytes).toString("base64")}`;
  await insertAccount(db, {
    id: accountId,
    name: options.name,
    priceSchedule: options.priceSchedule ?? null,
    openTasksMax: options.openTasksMax ?? openTasksDefault,
    webhookSecret,
  });
  return { accountId, webhookSecret };
}
