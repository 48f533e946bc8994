import { existsSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { slowestFirst } from "./packages/testkit/src/slowest-first.ts";

/** Only what hangs reaches them: a machine that is busy with something else takes several times as long. */
const limits = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
};

/** What takes longest begins first, so that nothing long is left at the end. */
const slowest = [
  "console/test/journeys.test.ts",
  "crash-points/create-task.test.ts",
  "crash-points/finish-task.test.ts",
  "upscale/sources.db.test.ts",
  "segments/joints.test.ts",
  "sdk/test/client.test.ts",
  "endpoint/added-endpoint.test.ts",
  "test/scenarios-replayed.test.ts",
  "test/scenarios.test.ts",
  "test/workers.test.ts",
  "api/hostile-bodies.db.test.ts",
  "upscalers/vendor-upscaler.db.test.ts",
  "boundaries/task.test.ts",
  "test/operator.test.ts",
  "test/vendors.test.ts",
  "tenancy/tenancy.test.ts",
  "test/outages.test.ts",
  "vendors/dashscope.test.ts",
  "test/worker-identity.test.ts",
  "test/confinement.test.ts",
  "test/hanging-servers.test.ts",
];
/** Parts with dependencies of their own, and the tests that need them. `.ci/run` installs them all. */
const optionalTests = {
  "packages/reviewer": [
    "packages/reviewer/src/**/*.test.ts",
    "packages/server/src/assets/review/automatic-reviewer.db.test.ts",
  ],
  "packages/signer": [
    "packages/signer/test/*.test.ts",
    "packages/server/src/generation/signed-outputs.db.test.ts",
    "packages/server/src/labels/sign-file.test.ts",
    "packages/server/src/labels/read-marks.test.ts",
    "packages/server/src/labels/signer-at-start.test.ts",
    "packages/server/src/operator/label-commands.test.ts",
  ],
  "tools/openapi": ["tools/openapi/*.test.ts", "tools/endpoint/*.test.ts"],
  "tools/clients": [
    "tools/clients/*.test.ts",
    "tools/pack/first-minutes.test.ts",
    "suites/clients/src/**/*.test.ts",
  ],
  "tools/deploy": ["tools/deploy/*.test.ts"],
};
const leftOut = Object.entries(optionalTests).filter(([dir]) => !existsSync(`${dir}/node_modules`));
for (const [dir] of leftOut)
  process.stderr.write(`${dir}: tests left out; to run them: npm ci --prefix ${dir}\n`);
/** Neither Debian 12 nor npm has one: what it renders is kept in a file, which other tests validate. */
// biome-ignore lint/style/noProcessEnv: where programs are
const hasKubectl = (process.env["PATH"] ?? "")
  .split(":")
  .some((dir) => existsSync(`${dir}/kubectl`));
const kubectlTests = hasKubectl ? [] : ["tools/deploy/kubectl.test.ts"];
if (!hasKubectl)
  process.stderr.write("the manifests are not rendered again: install kubectl 1.27 or newer\n");
/** Debian's python3-fastapi and python3-uvicorn, and python3-httpx for the client. */
const hasFastApi = ["fastapi", "uvicorn", "httpx"].every((name) =>
  existsSync(`/usr/lib/python3/dist-packages/${name}`),
);
const fastApiTests = hasFastApi ? [] : ["examples/test/fastapi.test.ts"];
if (!hasFastApi)
  process.stderr.write(
    "the FastAPI receiver is not tried: install python3-fastapi, python3-uvicorn, python3-httpx\n",
  );
/** Of Debian: the oldest versions that the Python client supports. */
const hasPython = ["httpx", "pytest", "hatchling"].every((name) =>
  existsSync(`/usr/lib/python3/dist-packages/${name}`),
);
const pythonTests = hasPython ? [] : ["packages/python/test/python.test.ts"];
if (!hasPython)
  process.stderr.write(
    "packages/python: tests left out; to run them: apt-get install python3-httpx python3-pytest python3-hatchling\n",
  );
const exclude = [
  ...configDefaults.exclude,
  ...fastApiTests,
  ...leftOut.flatMap(([, tests]) => tests),
  ...kubectlTests,
  ...pythonTests,
];

/** Test files that change or measure their process. All others beside the server's code share modules. */
const alone = [
  "packages/server/test/**/*.test.ts", // start processes; loading modules is little of their time
  "packages/server/src/api/deprecation.db.test.ts", // registers models of its own under the same names
  "packages/server/src/api/health.db.test.ts", // ends the confinement of ffmpeg
  "packages/server/src/api/trace-requests.db.test.ts", // traces
  "packages/server/src/docs/docs.test.ts", // schemas have the order in which modules were loaded
  "packages/server/src/generation/forms.db.test.ts", // schemas are registered when modules are loaded
  "packages/server/src/generation/submit-memory.db.test.ts", // measures memory
  "packages/server/src/media/free-buffers.test.ts", // measures memory
  "packages/server/src/upscale/segments/trace-segments.db.test.ts", // traces
];

const signer = `${import.meta.dirname}/packages/signer/src/signer.ts`;
const reviewer = `${import.meta.dirname}/packages/reviewer/src/judge.ts`;

const server = {
  // vitest takes an optional peer dependency to be absent without looking for it.
  resolve: { alias: { "@zoetrope/reviewer": reviewer, "@zoetrope/signer": signer } },
  test: {
    exclude,
    globalSetup: "packages/server/test/harness/global-setup.ts",
    ...limits,
  },
};

export default defineConfig({
  test: {
    maxWorkers: 4, // most suites run real servers of their own, and wait for them
    sequence: { sequencer: slowestFirst(slowest) },
    projects: [
      { ...server, test: { ...server.test, include: alone, name: "server, alone" } },
      {
        ...server,
        test: {
          ...server.test,
          name: "server",
          isolate: false,
          include: ["packages/server/src/**/*.test.ts"],
          exclude: [...exclude, ...alone],
          setupFiles: "packages/server/test/harness/leave-nothing.ts",
        },
      },
      {
        test: {
          name: "around it",
          include: [
            "packages/{testkit,dev,sandbox,reviewer,signer,sdk,mcp,ai-sdk,cli,console,python}/{src,test}/**/*.test.ts",
            "suites/{alerts,bench,chaos,clients}/src/**/*.test.ts",
            "examples/test/*.test.ts",
            "tools/**/*.test.ts",
          ],
          exclude,
          ...limits,
        },
      },
    ],
  },
});
