import { fileURLToPath } from "node:url";
import { openAccounts } from "@zoetrope/dev/open-accounts.ts";
import { findPrograms } from "@zoetrope/dev/services/find-program.ts";
import { type Stack, startStack } from "@zoetrope/dev/stack.ts";
import { makeVideo } from "@zoetrope/testkit/make-media.ts";
import { print } from "@zoetrope/testkit/print.ts";
import { quickUpscale } from "@zoetrope/testkit/quick-upscale.ts";
import { serveFile } from "@zoetrope/testkit/serve-files.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { slowestFirst } from "@zoetrope/testkit/slowest-first.ts";
import { startVitest, type Vitest } from "vitest/node";
import { sentences, untestable } from "../interface/sentences.ts";
import {
  isOutside,
  type Keys,
  missingVariables,
  readEnvironment,
  readSettings,
  type Settings,
  toEnvironment,
} from "./settings.ts";
import { taskMsMaxOf } from "./time-limits.ts";

/**
 * Runs the suite against ZOETROPE_URL or, without one, against a new stack that is gone afterwards.
 * Arguments select files: `npm run -s acceptance -- create-task`.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const aroundTaskMsMax = 60_000;

/** The number of files that run at once in a new stack: a file mostly waits. */
const filesAtOnce = 3;
/** The files that take longest. They start first, so that nothing long is left at the end. */
const slowest = [
  "interface/8-limits-and-prices.test.ts",
  "query-task/200.upscaled.test.ts",
  "upscale-query/200.test.ts",
  "create-task/400.files.test.ts",
  "webhooks-again/200.test.ts",
  "callback/500.test.ts",
  "query-task/200.happyhorse.test.ts",
  "create-task/200.references.test.ts",
  "query-task/200.test.ts",
  "create-task/429.test.ts",
  "credits/200.test.ts",
];
/** Files that script what the sandbox does with the next asset, whoever registers it. */
const alone = ["assets-status/200.review.test.ts", "interface/3-2-review.test.ts"];

/** The settings that let the sandbox's asset library review. */
const reviews = { REVIEW_IMAGE: "vendor", REVIEW_VIDEO: "vendor", REVIEW_AUDIO: "vendor" };
/** The source of upscales. Its seconds are charged, and each of its frames is upscaled several times. */
const source = { size: "160x90", rate: 2, seconds: 5.4 };
/** The maximum age of tasks that the hurried api accepts. */
const ageMsMax = "3000";
const ages = {
  VIDEO_AGE_MAX_MS: ageMsMax,
  IMAGE_AGE_MAX_MS: ageMsMax,
  UPSCALE_AGE_MAX_MS: ageMsMax,
};

async function main(): Promise<number> {
  const environment = readEnvironment();
  if (!isOutside(environment)) return inOwnStack();
  const missing = missingVariables(environment);
  if (missing.length === 0) return runTests(readSettings(environment));
  process.stderr.write(`ZOETROPE_URL is set, but not ${missing.join(", ")}.\n`);
  process.stderr.write("suites/acceptance/README.md says which accounts these keys belong to.\n");
  return 2;
}

async function inOwnStack(): Promise<number> {
  await findPrograms(["initdb", "postgres", "restate-server", "ffmpeg", "ffprobe"]);
  await using scratch = await makeScratch("acceptance");
  await using video = await serveFile(await makeVideo(source));
  await using stack = await startStack({
    dir: scratch.path,
    serverEnv: {
      ...reviews,
      POLL_FIRST_MS: "1000", // for vendors that call nobody back
      ...quickUpscale,
      UPSCALE_SEGMENT_MEGAPIXELS: "60",
    },
    onProgress: (what) => print(`Starting ${what} …`),
  });
  const keys = await openAccountsOfWorkers(stack);
  const hurried = await stack.startServer({ role: "api", name: "hurried-api", env: ages });
  const small = await stack.openAccount({ name: "small library", credits: 100, schedule: "A" });
  const limits = { openAssetsMax: 2, openUploadsMax: 2, storedBytesMax: 1024 * 1024 };
  await stack.admin("PATCH", `/accounts/${small.accountId}`, limits);
  const settings = {
    url: stack.apiUrl,
    keys: keys[0],
    hasSandbox: true,
    callsLoopback: true,
    videoUrl: video.url,
    hurriedUrl: hurried.url,
    sandbox: stack.sandboxControl,
    smallLibraryKey: small.key,
  };
  // Awaited here: the stack has to stand until the tests are done.
  return await runTests(settings, keys);
}

/** Opens as many sets of accounts as files run at the same time. */
async function openAccountsOfWorkers(stack: Stack): Promise<[Keys, ...Keys[]]> {
  const sets: [Keys, ...Keys[]] = [await openAccountsOfOne(stack)];
  while (sets.length < filesAtOnce) sets.push(await openAccountsOfOne(stack));
  return sets;
}

async function openAccountsOfOne(stack: Stack): Promise<Keys> {
  const usual = { openTasksMax: 3, schedule: "A" } as const;
  const opened = await openAccounts(stack.databaseOwnerUrl, [
    { ...usual, name: "main", credits: 100_000, openTasksMax: 100 },
    { ...usual, name: "other", credits: 1_000 },
    { ...usual, name: "limited", credits: 300 },
    { ...usual, name: "poor", credits: 29 },
    { ...usual, name: "schedule B", credits: 20_000, openTasksMax: 100, schedule: "B" },
  ]);
  const keyOf = (name: string) => opened.find((account) => account.name === name)?.key ?? "";
  const another = (name: string, limits: object) =>
    createKey(stack, opened[0]?.accountId, { name, ...limits });
  const [reader, slow, keeper] = await Promise.all([
    another("reader", { scopes: ["read"] }),
    another("slow", { requestsPerMinuteMax: 10 }),
    openKeeper(stack),
  ]);
  return {
    main: keyOf("main"),
    other: keyOf("other"),
    limited: keyOf("limited"),
    poor: keyOf("poor"),
    scheduleB: keyOf("schedule B"),
    reader,
    slow,
    keeper,
  };
}

/** A key that makes others, of an account that nothing else uses. */
async function openKeeper(stack: Stack): Promise<string> {
  const account = { openTasksMax: 3, schedule: "A", credits: 1, name: "keeper" } as const;
  const [opened] = await openAccounts(stack.databaseOwnerUrl, [account]);
  return createKey(stack, opened?.accountId, { name: "keeper", scopes: ["keys", "read"] });
}

async function createKey(stack: Stack, accountId = "", wanted: object): Promise<string> {
  return String((await stack.admin("POST", `/accounts/${accountId}/keys`, wanted))["key"]);
}

/** Runs test files, at the same time only if each has its own accounts. */
async function runTests(settings: Settings, keys: readonly Keys[] = []): Promise<number> {
  const testMsMax = taskMsMaxOf(settings) + aroundTaskMsMax;
  const shared = {
    root,
    isolate: false,
    maxConcurrency: 10, // videos of one file are made at the same time
    env: toEnvironment(settings, keys),
    testTimeout: testMsMax,
    hookTimeout: testMsMax,
  };
  const withInterface = hasInterface(settings);
  const interfaceFiles = ["interface/*.test.ts"];
  const exclude = withInterface ? alone : [...alone, ...interfaceFiles];
  const most = { include: ["*/*.test.ts"], exclude, maxWorkers: Math.max(1, keys.length) };
  const vitest = await startVitest(process.argv.slice(2), {
    config: false,
    root,
    watch: false,
    reporters: ["default"],
    sequence: { sequencer: slowestFirst(slowest) },
    projects: [
      { test: { ...shared, ...most, name: "most", sequence: { groupOrder: 0 } } },
      {
        test: {
          ...shared,
          name: "alone",
          include: alone,
          exclude: withInterface ? [] : interfaceFiles,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  });
  const isWhole = process.argv.length === 2 && withInterface;
  const untested = isWhole ? untestedSentences(vitest) : [];
  const { passed, failed } = countTests(vitest, untested.length);
  const failedFiles = vitest.state.getTestModules().filter((file) => !file.ok());
  await vitest.close();
  for (const id of untested) print(`no test passed for §${id}: ${sentences[id]}`);
  if (isWhole) printSentences(untested.length);
  if (failedFiles.length > 0)
    print(`failed in: ${failedFiles.map(({ relativeModuleId }) => relativeModuleId).join(" ")}`);
  last = `${passed} passed, ${failed} failed`;
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** The interface is checked sentence by sentence where tasks are free and files can be served. */
function hasInterface({ hasSandbox, callsLoopback, videoUrl, sandbox, keys }: Settings): boolean {
  const canScript = sandbox !== null && keys.keeper !== null;
  return hasSandbox && callsLoopback && videoUrl !== null && canScript;
}

type SentenceId = keyof typeof sentences;
const sentenceIds = Object.keys(sentences) as SentenceId[];

/** Sentences that no test of this run has shown to be true. */
function untestedSentences(vitest: Vitest): SentenceId[] {
  const shown = new Set<string>();
  for (const file of vitest.state.getTestModules())
    for (const { name } of file.children.allTests("passed")) shown.add(name);
  return sentenceIds.filter((id) => !(id in untestable) && !shown.has(`§${id}: ${sentences[id]}`));
}

function printSentences(untested: number): void {
  for (const [id, reason] of Object.entries(untestable)) print(`not testable: §${id}: ${reason}`);
  const left = Object.keys(untestable).length;
  print(
    `sentences=${sentenceIds.length} tested=${sentenceIds.length - left - untested} untestable=${left} untested=${untested}`,
  );
}

/** A file or hook that broke counts as a failure too: the tests it kept from running did not pass. */
function countTests(vitest: Vitest, untested: number): { passed: number; failed: number } {
  let passed = 0;
  let failed = vitest.state.getUnhandledErrors().length + untested;
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
print(last);
