import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packPackages } from "../../../../tools/pack/pack-packages.ts";
import { findPackageFaults } from "../packages/check-package.ts";
import { type Service, startService } from "../start-service.ts";
import { type Folder, prepareFolder } from "./prepare-folder.ts";
import { runRuntime } from "./run-runtime.ts";
import { runtimes } from "./runtimes.ts";

let scratch: Scratch;
let service: Service;
let folder: Folder;
let tarball: string;
beforeAll(async () => {
  scratch = await makeScratch("runtimes");
  const prepare = async () => {
    [tarball = ""] = await packPackages(join(scratch.path, "packed"), ["sdk"]);
    return prepareFolder(join(scratch.path, "client"), tarball);
  };
  [service, folder] = await Promise.all([startService(scratch.path), prepare()]);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await scratch.remove();
});

test.for(runtimes)("the packed SDK keeps its promises in $name", async (runtime) => {
  const sizes = { creates: 10, batch: 4, aborts: 3 };
  const lines = await runRuntime(runtime, service, folder, sizes);
  expect(lines.filter(({ ok }) => !ok)).toEqual([]);
  expect(lines).toHaveLength(12);
});

test("publint and are-the-types-wrong say nothing against the packed SDK", async () => {
  expect(await findPackageFaults(tarball)).toEqual([]);
});
