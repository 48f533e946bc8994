import { z } from "zod";
import { decrypt, encrypt, type KeyRing } from "../secrets/key-ring.ts";
import { vendorSecrets } from "../secrets/kinds.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import type { VendorAccountRow } from "./queries.ts";
import { vendorAccountsSchema } from "./vendor-accounts-setting.ts";

const credentialsSchema = z.strictObject({ apiKey: z.string() });

type Row = Omit<VendorAccountRow, "version">;

/** Opens an account as its row describes it. A message says what is wrong and repeats no value. */
export function readVendorAccount(ring: KeyRing | null, row: Row): VendorAccount {
  if (row.credentials === null) throw new Error("its credentials are deleted");
  const credentials = readCredentials(
    decrypt(ring, row.credentials, vendorSecrets.rowOf(row.name)),
  );
  const settings = { ...row.settings, name: row.name, kind: row.kind, ...credentials };
  const { data, error } = vendorAccountsSchema.safeParse([settings]);
  const [vendorAccount] = data ?? [];
  if (vendorAccount === undefined)
    throw new Error(
      (error?.issues ?? [])
        .map(({ path: [, ...path], message }) =>
          [path.join("."), message].filter(Boolean).join(": "),
        )
        .join("; "),
    );
  const { models } = row;
  return {
    ...vendorAccount,
    serves: (model) => vendorAccount.serves(model) && (models === null || models.includes(model)),
    state: row.removedAt !== null ? "removed" : row.pausedAt !== null ? "paused" : "open",
    weight: row.weight,
    openJobsMax: row.openJobsMax,
    creditsPerDayMax: row.creditsPerDayMax,
  };
}

/** The parser's own message would show the text. */
function readCredentials(text: string) {
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    throw new Error("its credentials are not in a form that this release knows");
  }
}

/** Null: in development alone, where secrets are stored as they are. */
export function storedCredentials(ring: KeyRing | null, name: string, apiKey: string): string {
  const text = JSON.stringify({ apiKey });
  return ring === null ? text : encrypt(ring, text, vendorSecrets.rowOf(name));
}
