import { defineConfig } from "vitest/config";

/** Suites that take minutes: the same as in the ordinary run, on a larger scale. */
export default defineConfig({
  test: {
    include: [
      "packages/{server,sdk}/test/**/*.long.ts",
      "tools/pack/*.long.ts",
      // These do less in the ordinary run.
      "packages/server/src/api/hostile-bodies.db.test.ts",
      "packages/server/test/boundaries/task.test.ts",
      "packages/server/test/crash-points/create-task.test.ts",
      "packages/server/test/tenancy/tenancy.test.ts",
    ],
    provide: { isFullScale: true },
    globalSetup: "packages/server/test/harness/global-setup.ts",
    hookTimeout: 300_000,
    testTimeout: 900_000,
  },
});
