import { join } from "node:path";
import { print } from "@zoetrope/testkit/print.ts";
import { makeScratch } from "@zoetrope/testkit/services/scratch.ts";
import { runLimitedBatch } from "./measures/batches.ts";
import { countExactCreates, createWithSdk } from "./measures/exact-creates.ts";
import { countRequestsOfWaiting } from "./measures/waiting.ts";
import { findPackageFaults } from "./packages/check-package.ts";
import { measureSdk } from "./packages/measure-size.ts";
import { packSdk } from "./packages/pack-sdk.ts";
import { type Folder, prepareFolder } from "./runtimes/prepare-folder.ts";
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

const chosen = process.argv.slice(2);
const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);
const faults: string[] = [];
const expectThat = (isTrue: boolean, promise: string) => {
  print(`${isTrue ? "ok    " : "BROKEN"} ${promise}`);
  if (!isTrue) faults.push(promise);
};
const figures = { ts: "-", exact_creates: "-", sdk_kb: "-" };

await using scratch = await makeScratch("clients");
const tarball = await packSdk(join(scratch.path, "packed"));
const folder = await prepareFolder(join(scratch.path, "client"), tarball);
if (isChosen("packages")) await checkPackages();
{
  await using service = await startService(scratch.path);
  if (isChosen("runtimes")) await checkRuntimes(service, folder);
  if (isChosen("waiting")) await checkWaiting(service);
  if (isChosen("batch")) await checkBatch(service);
  if (isChosen("creates")) await checkCreates(service);
}
print(
  Object.entries(figures)
    .map(([name, figure]) => `${name}=${figure}`)
    .join(" "),
);
process.exitCode = faults.length === 0 ? 0 : 1;

async function checkPackages(): Promise<void> {
  const found = await findPackageFaults(tarball);
  for (const fault of found) print(fault);
  expectThat(
    found.length === 0,
    "publint and are-the-types-wrong say nothing against the packages",
  );
  const { filesKb, bundleKb } = await measureSdk(join(folder.dir, "node_modules/@zoetrope/sdk"));
  figures.sdk_kb = filesKb.toFixed(1);
  const sizes = `${filesKb.toFixed(1)} KB as modules, ${bundleKb.toFixed(1)} KB as a minified bundle`;
  expectThat(filesKb <= sdkKbMax, `the SDK has at most ${sdkKbMax} KB after gzip: ${sizes}`);
}

async function checkRuntimes(service: Service, folder: Folder): Promise<void> {
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
  figures.exact_creates = `${found.exact}/${found.made}`;
  const promise = `TypeScript: ${creates} creates made ${found.made} tasks through ${found.faults} faults and a killed api`;
  expectThat(found.exact === creates && found.made === creates, promise);
}
