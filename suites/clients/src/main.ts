import { basename, join } from "node:path";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { packPackages } from "../../../tools/pack/pack-packages.ts";
import { runLimitedBatch } from "./measures/batches.ts";
import { countExactCreates, createWithSdk } from "./measures/exact-creates.ts";
import { countRequestsOfWaiting } from "./measures/waiting.ts";
import { runFirstMinutes, runPythonTests } from "./other-parts.ts";
import { findPackageFaults } from "./packages/check-package.ts";
import { measureSdk } from "./packages/measure-size.ts";
import { prepareFolder } from "./runtimes/prepare-folder.ts";
import { runRuntime } from "./runtimes/run-runtime.ts";
import { runtimes } from "./runtimes/runtimes.ts";
import { type Service, startService } from "./start-service.ts";

/**
 * Shows what the clients promise, at full size, and ends with one line of figures. Arguments choose parts.
 */
const creates = 500;
const batch = 200;
const waitMs = 60_000;
const requestsOfWaitMax = 5;
const abortMsMax = 50;
const sdkKbMax = 20;
const sdkModulesKbMax = 26;
const coldSMax = 30;
const videoSMax = 10;
const publishedForUsers = /zoetrope-((ai-)?sdk-)?[\d.]+\.tgz$/;

const chosen = process.argv.slice(2);
const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);
const faults: string[] = [];
const expectThat = (isTrue: boolean, promise: string) => {
  print(`${isTrue ? "ok    " : "BROKEN"} ${promise}`);
  if (!isTrue) faults.push(promise);
};
const figures = {
  ts: "-",
  python: "-",
  exact_creates: "-",
  cold_s: "-",
  video_s: "-",
  sdk_kb: "-",
};
const exact: number[] = [];

await using scratch = await makeScratch("clients");
const [tarball = ""] = await packPackages(join(scratch.path, "packed"), ["sdk"]);
const services: Service[] = [];
const folder = await prepareFolder(join(scratch.path, "client"), tarball);
const parts: Record<string, () => Promise<void>> = {
  packages: checkPackages,
  runtimes: () => withService(checkRuntimes),
  waiting: () => withService(checkWaiting),
  batch: () => withService(checkBatch),
  creates: () => withService(checkCreates),
  python: checkPython,
  start: checkStart,
};
for (const [part, check] of Object.entries(parts).filter(([name]) => isChosen(name)))
  await check().catch((error: unknown) => {
    expectThat(false, `${part}: ${error instanceof Error ? error.message : error}`);
  });
for (const service of services) await service[Symbol.asyncDispose]();
if (exact.length > 0) figures.exact_creates = `${Math.min(...exact)}/${creates}`;
print(
  Object.entries(figures)
    .map(([name, figure]) => `${name}=${figure}`)
    .join(" "),
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** One service for all parts that need one. */
async function withService(check: (service: Service) => Promise<void>): Promise<void> {
  if (services.length === 0) services.push(await startService(scratch.path));
  for (const service of services) await check(service);
}

async function checkPackages(): Promise<void> {
  const sdk = join(folder.dir, "node_modules/@zoetrope/sdk");
  const { filesKb, bundleKb, minifiedKb } = await measureSdk(sdk);
  figures.sdk_kb = bundleKb.toFixed(1);
  const sizes = `${figures.sdk_kb} KB as one file, ${minifiedKb.toFixed(1)} KB minified, ${filesKb.toFixed(1)} KB as modules`;
  expectThat(
    bundleKb <= sdkKbMax && filesKb <= sdkModulesKbMax,
    `the SDK has at most ${sdkKbMax} KB after gzip, ${sdkModulesKbMax} KB as modules: ${sizes}`,
  );
  const packed = await packPackages(join(scratch.path, "all"));
  for (const path of packed.filter((one) => publishedForUsers.test(one))) await checkTarball(path);
}

async function checkTarball(path: string): Promise<void> {
  const found = await findPackageFaults(path);
  for (const fault of found) print(fault);
  const promise = `publint and are-the-types-wrong say nothing against ${basename(path)}`;
  expectThat(found.length === 0, promise);
}

async function checkRuntimes(service: Service): Promise<void> {
  let passed = 0;
  let all = 0;
  for (const runtime of runtimes) {
    const lines = await runRuntime(runtime, service, folder, { creates: 50, batch: 9, aborts: 20 });
    for (const { check, ok, error = "" } of lines)
      if (!ok) print(`${runtime.name}: ${check}: ${error}`);
    const abortMs = lines.find((line) => line.abortMs !== undefined)?.abortMs ?? Number.NaN;
    const good = lines.filter(({ ok }) => ok).length;
    expectThat(good === lines.length, `${runtime.name}: ${good} of ${lines.length} checks`);
    expectThat(
      abortMs <= abortMsMax,
      `${runtime.name}: the slowest of 20 aborts took ${abortMs} ms`,
    );
    passed += good;
    all += lines.length;
  }
  figures.ts = `${passed}/${all}`;
}

async function checkWaiting(service: Service): Promise<void> {
  const requests = await countRequestsOfWaiting(service, waitMs);
  const promise = `${requests} requests while waiting ${waitMs / 1000} s`;
  expectThat(requests <= requestsOfWaitMax, promise);
}

async function checkBatch(service: Service): Promise<void> {
  const { completed, refusals, requests } = await runLimitedBatch(service, batch);
  const promise = `a batch of ${batch} under a limit of 3: ${completed} completed, ${refusals} times 429 in ${requests} requests`;
  expectThat(completed === batch && refusals === 0, promise);
}

async function checkCreates(service: Service): Promise<void> {
  const found = await countExactCreates(service, creates, (target) =>
    createWithSdk(target, creates),
  );
  exact.push(found.made === creates ? found.exact : 0);
  const promise = `TypeScript: ${creates} creates made ${found.made} tasks through ${found.faults} faults and a killed api`;
  expectThat(found.exact === creates && found.made === creates, promise);
}

async function checkPython(): Promise<void> {
  const { passed, failed, exactCreates } = await runPythonTests();
  figures.python = `${passed}/${passed + failed}`;
  exact.push(exactCreates);
  expectThat(failed === 0 && passed > 0, `Python: ${passed} of ${passed + failed} tests`);
  expectThat(exactCreates === creates, `Python: ${creates} creates made ${exactCreates} tasks`);
}

async function checkStart(): Promise<void> {
  const { coldS, videoS } = await runFirstMinutes();
  figures.cold_s = coldS.toFixed(1);
  figures.video_s = videoS.toFixed(1);
  expectThat(coldS <= coldSMax, `the service runs ${figures.cold_s} s after its first start`);
  expectThat(videoS <= videoSMax, `the first video is there after ${figures.video_s} s more`);
}
