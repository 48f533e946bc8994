/** A kind of secret that the database stores encrypted with the key ring. */
export interface SecretKind {
  /** The name of the kind that operators see, with the number of its secrets and those that cannot be read. */
  name: string;
  owner: string;
  /** In the database of each shard, or in the directory alone. */
  database: "shard" | "directory";
  table: string;
  id: { column: string; type: "uuid" | "text" };
  columns: readonly string[];
  /** Rows without it have no secret that anybody uses. */
  where?: string;
  /** Binds an encrypted text to its row: copied to another one it cannot be decrypted. */
  rowOf(id: string): string;
}

export const accountSecrets = {
  name: "accounts",
  owner: "account",
  database: "shard",
  table: "accounts",
  id: { column: "id", type: "uuid" },
  columns: ["webhook_secret", "webhook_secret_before"],
  where: "moved_to is null",
  rowOf: (accountId) => `webhooks of account ${accountId}`,
} as const satisfies SecretKind;

export const endpointSecrets = {
  name: "endpoints",
  owner: "endpoint",
  database: "shard",
  table: "webhook_endpoints",
  id: { column: "id", type: "uuid" },
  columns: ["secret", "secret_before"],
  rowOf: (endpointId) => `webhook endpoint ${endpointId}`,
} as const satisfies SecretKind;

export const vendorSecrets = {
  name: "vendors",
  owner: "vendor",
  database: "directory",
  table: "vendor_accounts",
  id: { column: "name", type: "text" },
  columns: ["credentials"],
  rowOf: (name) => `vendor account ${name}`,
} as const satisfies SecretKind;

export const authenticatorSecrets = {
  name: "authenticators",
  owner: "person",
  database: "directory",
  table: "totp_factors",
  id: { column: "person_id", type: "uuid" },
  columns: ["secret"],
  rowOf: (personId) => `authenticator of person ${personId}`,
} as const satisfies SecretKind;

/** Every kind: `secrets list` counts them, and `secrets reencrypt` encrypts them again. */
export const secretKinds: readonly SecretKind[] = [
  accountSecrets,
  endpointSecrets,
  vendorSecrets,
  authenticatorSecrets,
];
