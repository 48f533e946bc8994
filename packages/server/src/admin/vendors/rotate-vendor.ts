import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { Actor } from "../../ids.ts";
import { findVendorAccount, replaceCredentials } from "../../routing/queries.ts";
import { encryptKey, testBeforeSaving } from "./vendor-credentials.ts";

/** Replaces the key of a vendor account. Every process uses the new one within 5 seconds. */
export async function rotateVendor(
  { directory, keyRing }: Pick<Context, "directory" | "keyRing">,
  actor: Actor,
  { name, apiKey, isUnchecked }: { name: string; apiKey: string; isUnchecked: boolean },
): Promise<{ result: string }> {
  const row = await findVendorAccount(directory.db, name);
  if (row === undefined || row.removedAt !== null) throw new ApiError("vendor_account_not_found");
  const credentials = await encryptKey({ directory, keyRing }, name, apiKey);
  const result = await testBeforeSaving(keyRing, { ...row, credentials }, { isUnchecked });
  await inTransaction(directory.db, async (tx) => {
    if (!(await replaceCredentials(tx, { name, from: row.credentials, to: credentials })))
      throw new ApiError("vendor_key_changed");
    await recordAudit(tx, actor, { accountId: null, action: "vendor.rotate", object: name });
  });
  return { result };
}
