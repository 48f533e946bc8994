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

/** Opens the link that the first start prints, as the console does. */
async function becomeOperator(text: string): Promise<void> {
  const [, url, token] =
    /^ {2}(http:\/\/localhost:\d+)\/console\/invitation#token=(\S+)$/m.exec(text) ?? [];
  const page = await fetch(`${url}/console/invitation`);
  expect(await page.text()).toContain('<script type="module"');
  const accepted = await fetch(`${url}/api/v1/invitation/accept`, {
    method: "POST",
    headers: { origin: `${url}`, "content-type": "application/json" },
    body: JSON.stringify({ token, name: "Ada", password: "correct horse battery staple" }),
  });
  const cookie = accepted.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const me = await fetch(`${url}/api/v1/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ staffRole: "operator", accounts: [{ role: "owner" }] });
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

test("from an empty folder with the packages, the README's blocks make a video that plays, and the printed link opens the console once; Ctrl-C leaves no process, and the next start finds the data", async () => {
  const quickstart = await readQuickstart();
  expect(quickstart.code.trim().split("\n")).toHaveLength(4);
  expect(quickstart.commands.trim().split("\n")).toHaveLength(2);

  await using dev = await startDev(quickstart.start, app);
  await becomeOperator(dev.text);
  await makeVideo(quickstart, app);
  await expect(startDev(quickstart.start, app)).rejects.toThrow("already running");
  await dev.interrupt();
  expect(await commandsHere()).toEqual([]);

  await using again = await startDev(quickstart.start, app);
  expect(keyIn(again.text)).toBe(keyIn(dev.text));
  expect(again.text).toMatch(/^The console is at http:\/\/localhost:\d+\/console$/m);
  expect(again.text).not.toContain("#token=");
  const query = /^ {2}curl -s (\S+)\/api\/v1\/jobs\/createTask/m.exec(again.text)?.[1];
  const response = await fetch(`${query}/api/v1/account/ledger`, {
    headers: { authorization: `Bearer ${keyIn(again.text)}` },
  });
  expect(JSON.stringify(await response.json())).toContain("capture");
  await again.interrupt();
  expect(await commandsHere()).toEqual([]);
});
