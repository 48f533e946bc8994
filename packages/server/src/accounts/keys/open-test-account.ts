import type { Place } from "../../context.ts";
import { grantCreditsIn } from "../../credits/ledger.ts";
import type { Tx } from "../../db/database.ts";
import type { AccountId } from "../../ids.ts";
import type { KeyRing } from "../../key-ring.ts";
import { createTestAccount } from "../create-test-account.ts";

const testCredits = 1_000_000;

/** The test account of an account. With its first key it gets credits that nobody paid for. */
export async function openTestAccount(
  ctx: Omit<Place, "db"> & { keyRing: KeyRing | null },
  tx: Tx,
  ofAccount: AccountId,
): Promise<AccountId> {
  const { accountId, isNew } = await createTestAccount({ ...ctx, db: tx }, ofAccount);
  if (isNew) await grantCreditsIn(tx, { accountId, credits: testCredits, note: "test credits" });
  return accountId;
}
