import { fileURLToPath } from "node:url";
import { findPrograms } from "@zoetrope/testkit/services/find-program.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { type AccountOptions, startStack } from "@zoetrope/testkit/stack.ts";
import { startVitest, type Vitest } from "vitest/node";
import { taskMsMaxOf } from "./patience.ts";
import {
  isOutside,
  missingVariables,
  readEnvironment,
  readSettings,
  type Settings,
  toEnvironment,
} from "./settings.ts";
import { offerFile, renderVideo } from "./source-video.ts";

/**
 * Runs the suite against ZOETROPE_URL or, without one, against a whole stack of its own that is gone
 * afterwards. Arguments select files: `npm run -s acceptance -- create-task`.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const aroundTaskMsMax = 60_000;

/** By the sandbox's asset library. */
const reviews = { REVIEW_IMAGE: "vendor", REVIEW_VIDEO: "vendor", REVIEW_AUDIO: "vendor" };
/** Of the tasks that the hurried api accepts. */
const ageMsMax = "3000";
const ages = {
  VIDEO_AGE_MAX_MS: ageMsMax,
  IMAGE_AGE_MAX_MS: ageMsMax,
  UPSCALE_AGE_MAX_MS: ageMsMax,
};

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const environment = readEnvironment();
  if (!isOutside(environment)) return inOwnStack();
  const missing = missingVariables(environment);
  if (missing.length === 0) return runTests(readSettings(environment));
  process.stderr.write(`ZOETROPE_URL is set, but not ${missing.join(", ")}.\n`);
  process.stderr.write("acceptance/README.md says which accounts these keys belong to.\n");
  return 2;
}

async function inOwnStack(): Promise<number> {
  await findPrograms(["initdb", "postgres", "restate-server", "ffmpeg", "ffprobe"]);
  await using scratch = await makeScratch("acceptance");
  await using video = await offerFile(await renderVideo());
  await using stack = await startStack({
    dir: scratch.path,
    // Files at addresses that nobody answers stay open for a while.
    serverEnv: {
      ...reviews,
      OPEN_ASSETS_MAX: "1000",
      UPSCALE_PRESET: "ultrafast",
      UPSCALE_SEGMENT_MEGAPIXELS: "60",
    },
    onProgress: (what) => say(`Starting ${what} …`),
  });
  const open = (name: string, credits: number, more: Partial<AccountOptions>) =>
    stack.openAccount({ ...more, name, credits });
  const [main, other, limited, poor, scheduleB] = await Promise.all([
    open("main", 100_000, { openTasksMax: 100, schedule: "A" }),
    open("other", 1_000, { schedule: "A" }),
    open("limited", 300, { schedule: "A" }),
    open("poor", 29, { schedule: "A" }),
    open("schedule B", 10_000, { schedule: "B" }),
  ]);
  const hurried = await stack.startServer({ role: "api", name: "hurried-api", env: ages });
  const small = await stack.openAccount({ name: "small library", credits: 100, schedule: "A" });
  const limits = ["--open-assets-max", "2", "--open-uploads-max", "2"];
  const storage = ["--stored-megabytes-max", "1"];
  await stack.operate("account", "library", "--account", small.accountId, ...limits, ...storage);
  const another = async (name: string, ...limits: string[]) => {
    const owner = ["--account", main.accountId, "--name", name];
    return String((await stack.operate("key", "create", ...owner, ...limits))["key"]);
  };
  // Awaited here: the stack has to stand until the tests are done.
  return await runTests({
    url: stack.apiUrl,
    keys: {
      main: main.key,
      other: other.key,
      limited: limited.key,
      poor: poor.key,
      scheduleB: scheduleB.key,
      reader: await another("reader", "--scopes", "read"),
      slow: await another("slow", "--requests-per-minute", "10"),
    },
    hasSandbox: true,
    callsLoopback: true,
    videoUrl: video.url,
    hurriedUrl: hurried.url,
    sandboxUrl: stack.sandboxUrl,
    smallLibraryKey: small.key,
  });
}

async function runTests(settings: Settings): Promise<number> {
  const testMsMax = taskMsMaxOf(settings) + aroundTaskMsMax;
  const vitest = await startVitest(process.argv.slice(2), {
    config: false,
    root,
    include: ["*/*.test.ts"],
    watch: false,
    fileParallelism: false, // the accounts are shared
    isolate: false,
    maxConcurrency: 10, // videos of one file are made at the same time
    env: toEnvironment(settings),
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
    reporters: ["default"],
  });
  const { passed, failed } = countTests(vitest);
  await vitest.close();
  last = `${passed} passed, ${failed} failed`;
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** A file or hook that broke counts as a failure too: the tests it kept from running did not pass. */
function countTests(vitest: Vitest): { passed: number; failed: number } {
  let passed = 0;
  let failed = vitest.state.getUnhandledErrors().length;
  for (const file of vitest.state.getTestModules()) {
    const failures = [...file.children.allTests("failed")].length;
    passed += [...file.children.allTests("passed")].length;
    failed += failures === 0 && !file.ok() ? 1 : failures;
  }
  return { passed, failed };
}

let last = "0 passed, 0 failed";
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
say(last);
