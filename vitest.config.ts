import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Only what hangs reaches them: a machine that is busy with something else takes several times as long. */
const limits = { testTimeout: 600_000, hookTimeout: 600_000 };

/** What takes longest begins first, so that nothing long is left at the end. */
const slowest = [
  "test/stories-replayed.test.ts",
  "test/stories.test.ts",
  "test/crash-points.test.ts",
  "upscale/joints.test.ts",
  "upscale/sources.db.test.ts",
  "test/workers.test.ts",
  "test/vendors.test.ts",
  "test/outages.test.ts",
  "test/hanging-servers.test.ts",
  "test/operator.test.ts",
];
const placeOf = ({ moduleId }: TestSpecification) => {
  const place = slowest.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? slowest.length : place;
};

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    maxWorkers: 3, // most suites run real servers of their own, and wait for them
    sequence: { sequencer: SlowestFirst },
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
