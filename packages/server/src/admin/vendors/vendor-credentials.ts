import type { Directory } from "../../context.ts";
import { ApiError, invalid } from "../../errors.ts";
import { checkVendorAccount, rotateAdvice } from "../../routing/check-vendor-account.ts";
import type { VendorAccountRow } from "../../routing/queries.ts";
import { readVendorAccount, storedCredentials } from "../../routing/read-vendor-account.ts";
import { OtherKeyRing, requireCurrentKey } from "../../secrets/current-key.ts";
import type { KeyRing } from "../../secrets/key-ring.ts";
import type { VendorAccount } from "../../vendors/vendor.ts";

export type UnsavedRow = Omit<VendorAccountRow, "version" | "pausedAt" | "removedAt">;

/**
 * Encrypts a key. A process whose key ring is not the recorded one refuses: what it encrypts would be lost
 * with its key ring. It was not restarted yet after the key was replaced.
 */
export async function encryptKey(
  { directory, keyRing }: { directory: Directory; keyRing: KeyRing | null },
  name: string,
  apiKey: string,
): Promise<string> {
  try {
    if (keyRing !== null) await requireCurrentKey(directory.db, keyRing);
  } catch (error) {
    if (!(error instanceof OtherKeyRing)) throw error;
    throw new ApiError("service_unavailable", { retryAfterSeconds: 5 });
  }
  return storedCredentials(keyRing, name, apiKey);
}

/**
 * Tests an account before its key is stored: a key that does not work would make tasks fail. Returns what was
 * seen, in words. The settings are checked also where the key is not.
 */
export async function testBeforeSaving(
  ring: KeyRing | null,
  row: UnsavedRow,
  { isUnchecked }: { isUnchecked: boolean },
): Promise<string> {
  const vendorAccount = openRow(ring, row);
  if (isUnchecked) return "not tested";
  const { works, result } = await checkVendorAccount(vendorAccount);
  if (!works) throw invalid("apiKey", `is not stored: ${result.replace(rotateAdvice, "")}`);
  return result;
}

function openRow(ring: KeyRing | null, row: UnsavedRow): VendorAccount {
  try {
    return readVendorAccount(ring, { ...row, pausedAt: null, removedAt: null });
  } catch (error) {
    throw invalid("settings", `cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}
