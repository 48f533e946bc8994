import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import {
  insertVendorAccount,
  listVendorAccounts,
  type NewVendorAccount,
  vendorAccountsMax,
} from "../../routing/queries.ts";
import { encryptKey, testBeforeSaving } from "./vendor-credentials.ts";

/** Adds a vendor account while the service runs, in the place of a removed one of its name if there is one. */
export async function addVendor(
  { directory, keyRing }: Pick<Context, "directory" | "keyRing">,
  actor: Actor,
  input: Omit<NewVendorAccount, "credentials"> & { apiKey: string; isUnchecked: boolean },
): Promise<{ result: string }> {
  const { apiKey, isUnchecked, ...vendorAccount } = input;
  const { name, kind, weight } = vendorAccount;
  const credentials = await encryptKey({ directory, keyRing }, name, apiKey);
  const row = { ...vendorAccount, credentials };
  const result = await testBeforeSaving(keyRing, row, { isUnchecked });
  await inTransaction(directory.db, async (tx) => {
    const inUse = (await listVendorAccounts(tx)).filter(({ removedAt }) => removedAt === null);
    if (inUse.length >= vendorAccountsMax) throw new ApiError("too_many_vendor_accounts");
    if (!(await insertVendorAccount(tx, row))) throw new ApiError("vendor_account_exists");
    await recordAudit(tx, actor, {
      accountId: null,
      action: "vendor.add",
      object: name,
      after: { kind, weight },
    });
  });
  return { result };
}
