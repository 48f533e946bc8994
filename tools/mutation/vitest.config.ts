import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests that judge mutants of the money: prices and the ledger. */
export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  test: {
    include: [
      "packages/server/src/models/*.test.ts",
      "packages/server/src/credits/*.test.ts",
      "packages/server/src/admin/grants/*.test.ts",
      "packages/server/src/operator/privacy/privacy.db.test.ts",
      "packages/server/src/api/key-limits.db.test.ts",
      "packages/server/src/docs/docs.test.ts",
    ],
    globalSetup: "packages/server/test/harness/global-setup.ts",
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
