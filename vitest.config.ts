import { defineConfig } from "vitest/config";
import { slowestFirst } from "./packages/testkit/src/slowest-first.ts";

/** Only what hangs reaches them: a machine that is busy with something else takes several times as long. */
const limits = { testTimeout: 180_000, hookTimeout: 300_000 };

/** What takes longest begins first, so that nothing long is left at the end. */
const slowest = [
  "test/scenarios-replayed.test.ts",
  "test/scenarios.test.ts",
  "test/crash-points.test.ts",
  "upscale/joints.test.ts",
  "upscale/sources.db.test.ts",
  "test/workers.test.ts",
  "test/vendors.test.ts",
  "test/outages.test.ts",
  "test/hanging-servers.test.ts",
  "test/operator.test.ts",
];
export default defineConfig({
  test: {
    maxWorkers: 3, // most suites run real servers of their own, and wait for them
    sequence: { sequencer: slowestFirst(slowest) },
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
          include: [
            "packages/{testkit,sandbox}/{src,test}/**/*.test.ts",
            "chaos/src/**/*.test.ts",
            "tools/*.test.ts",
          ],
          ...limits,
        },
      },
    ],
  },
});
