import { defineConfig } from "vitest/config";

/** Suites that take minutes: the same as in the ordinary run, on a larger scale. */
export default defineConfig({
  test: {
    include: ["packages/{server,sdk}/test/**/*.long.ts"],
    globalSetup: "packages/server/test/harness/global-setup.ts",
    hookTimeout: 300_000,
    testTimeout: 900_000,
  },
});
