import { defineConfig } from "vitest/config";

/** Only what hangs reaches them: a machine that is busy with something else takes several times as long. */
const limits = { testTimeout: 180_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    maxWorkers: 2, // most suites run real servers of their own
    projects: [
      {
        test: {
          name: "server",
          include: ["packages/server/{src,test}/**/*.test.ts"],
          globalSetup: "packages/server/test/harness/global-setup.ts",
          ...limits,
        },
      },
      {
        test: {
          name: "around it",
          include: ["packages/{dev,sandbox}/{src,test}/**/*.test.ts", "chaos/src/**/*.test.ts"],
          ...limits,
        },
      },
    ],
  },
});
