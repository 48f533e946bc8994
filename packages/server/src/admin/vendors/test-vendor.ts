import type { Actor } from "../../actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { VendorsContext } from "../../tasks/context.ts";
import { checkAccount } from "../../vendors/check-account.ts";

/** Makes a call that costs nothing with the account as this process knows it. */
export async function testVendor(
  { home, vendors, refreshVendors }: VendorsContext,
  actor: Actor,
  name: string,
): Promise<{ works: boolean; result: string; ms: number }> {
  await refreshVendors(); // a key may have been rotated a second ago
  const account = vendors.get(name);
  if (account === undefined || account.state === "removed")
    throw new ApiError("vendor_account_not_found");
  const started = performance.now();
  const { works, result } = await checkAccount(account);
  const ms = Math.round(performance.now() - started);
  await inTransaction(home.db, (tx) =>
    recordAudit(tx, actor, {
      ...{ accountId: null, action: "vendor.test", object: name, after: { works, result } },
    }),
  );
  return { works, result, ms };
}
