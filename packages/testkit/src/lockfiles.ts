/** The repository's, and those of the parts that are installed on their own. */
export const lockfiles = [
  "package-lock.json",
  "packages/reviewer/package-lock.json",
  "packages/signer/package-lock.json",
  "tools/clients/package-lock.json",
  "tools/deploy/package-lock.json",
  "tools/mutation/package-lock.json",
  "tools/node/package-lock.json",
  "tools/openapi/package-lock.json",
] as const;
