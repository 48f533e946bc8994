import { z } from "zod";
import { decrypt, encrypt, type KeyRing } from "../key-ring.ts";
import { vendorAccountsSchema } from "../vendors/accounts.ts";
import type { VendorAccount } from "../vendors/vendor.ts";
import type { AccountRow } from "./queries.ts";

const credentialsSchema = z.strictObject({ apiKey: z.string() });

type Row = Omit<AccountRow, "version">;

/** Opens an account as its row describes it. A message says what is wrong and repeats no value. */
export function readAccount(ring: KeyRing | null, row: Row): VendorAccount {
  if (row.credentials === null) throw new Error("its credentials are deleted");
  const credentials = readCredentials(decrypt(ring, row.credentials, rowOf(row.name)));
  const given = { ...row.settings, name: row.name, kind: row.kind, ...credentials };
  const { data, error } = vendorAccountsSchema.safeParse([given]);
  const [account] = data ?? [];
  if (account === undefined)
    throw new Error(
      (error?.issues ?? []).map(({ path, message }) => `${path.slice(1)}: ${message}`).join("; "),
    );
  const { models } = row;
  return {
    ...account,
    serves: (model) => account.serves(model) && (models === null || models.includes(model)),
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

export function storedCredentials(ring: KeyRing, name: string, apiKey: string): string {
  return encrypt(ring, JSON.stringify({ apiKey }), rowOf(name));
}

/** The same credentials, encrypted with the first key. */
export function reencryptCredentials(ring: KeyRing, name: string, stored: string): string {
  return encrypt(ring, decrypt(ring, stored, rowOf(name)), rowOf(name));
}

function rowOf(name: string): string {
  return `vendor account ${name}`;
}
