import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import { checkVendorAccount } from "../../routing/check-vendor-account.ts";
import type { VendorsContext } from "../../tasks/context.ts";

/** Makes a call that costs nothing with the account as this process knows it. */
export async function testVendor(
  { directory, vendors, refreshVendors }: VendorsContext,
  actor: Actor,
  name: string,
): Promise<{ works: boolean; result: string; ms: number }> {
  await refreshVendors(); // a key may have been rotated a second ago
  const vendorAccount = vendors.get(name);
  if (vendorAccount === undefined || vendorAccount.state === "removed")
    throw new ApiError("vendor_account_not_found");
  const started = performance.now();
  const { works, result } = await checkVendorAccount(vendorAccount);
  const ms = Math.round(performance.now() - started);
  await inTransaction(directory.db, (tx) =>
    recordAudit(tx, actor, {
      accountId: null,
      action: "vendor.test",
      object: name,
      after: { works, result },
    }),
  );
  return { works, result, ms };
}
