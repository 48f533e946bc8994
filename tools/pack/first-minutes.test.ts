import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeVideo, readQuickstart } from "./first-minutes.ts";
import { installPackages } from "./install-packages.ts";
import { startDev } from "./start-dev.ts";

let scratch: Scratch;
let app: string;
beforeAll(async () => {
  scratch = await makeScratch("pack");
  app = join(scratch.path, "app");
  await installPackages(join(scratch.path, "tarballs"), app);
});
afterAll(() => scratch.remove());

/** Of everything that was started in the folder or from it. */
async function commandsHere(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")),
  );
  return lines.filter((line) => line.includes(scratch.path));
}

const keyIn = (text: string) => /^ {2}key {3}(\S+)$/m.exec(text)?.[1];

test("without the package of the service, the command says exactly what to type", async () => {
  const place = join(app, "node_modules/@zoetrope/dev");
  await rename(place, `${place}.away`);
  await expect(startDev("npx zoetrope dev", app)).rejects.toThrow(
    "Type: npm install zoetrope@0.1.0 @zoetrope/dev@0.1.0 && npx zoetrope dev",
  );
  await rename(`${place}.away`, place);
});

test("from an empty folder with the packages, the README's blocks make a video that plays; Ctrl-C leaves no process, and the next start finds the data", async () => {
  const quickstart = await readQuickstart();
  expect(quickstart.code.trim().split("\n")).toHaveLength(4);
  expect(quickstart.commands.trim().split("\n")).toHaveLength(2);

  await using dev = await startDev(quickstart.start, app);
  await makeVideo(quickstart, app);
  await expect(startDev(quickstart.start, app)).rejects.toThrow("already running");
  await dev.interrupt();
  expect(await commandsHere()).toEqual([]);

  await using again = await startDev(quickstart.start, app);
  expect(keyIn(again.text)).toBe(keyIn(dev.text));
  const query = /^ {2}curl -s (\S+)\/api\/v1\/jobs\/createTask/m.exec(again.text)?.[1];
  const response = await fetch(`${query}/api/v1/account/ledger`, {
    headers: { authorization: `Bearer ${keyIn(again.text)}` },
  });
  expect(JSON.stringify(await response.json())).toContain("capture");
  await again.interrupt();
  expect(await commandsHere()).toEqual([]);
});
