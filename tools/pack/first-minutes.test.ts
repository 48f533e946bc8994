import { readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@zoetrope/testkit/api-client.ts";
import { probeVideo } from "@zoetrope/testkit/probe-video.ts";
import { makeScratch, type Scratch } from "@zoetrope/testkit/services/scratch.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beNodeCustomer, readPrinted } from "./customer.ts";
import { makeVideo, manual, type Quickstart, readQuickstart } from "./first-minutes.ts";
import { installPackages } from "./install-packages.ts";
import { root } from "./list-packages.ts";
import { blocksOf, otherPages, pages, ranElsewhere, readPage } from "./snippets.ts";
import { type DevTerminal, startDev } from "./start-dev.ts";

const node24 = process.execPath;
let scratch: Scratch;
let app: string;
beforeAll(async () => {
  scratch = await makeScratch("pack");
  app = join(scratch.path, "app");
  await installPackages(join(scratch.path, "tarballs"), app);
});
afterAll(async () => {
  await dev?.interrupt();
  await scratch.remove();
});

/** Returns the command lines of everything that was started in the folder or from it. */
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

/** Set by the test that starts it: the others are what is done while it runs. */
let dev: DevTerminal;
let quickstart: Quickstart;

test("without the package of the service, the command says exactly what to type", async () => {
  const place = join(app, "node_modules/@zoetrope/dev");
  await rename(place, `${place}.away`);
  await expect(startDev("npx --no zoetrope dev", app)).rejects.toThrow(
    /Type: npm install https?:\/\/\S+\/packages\/zoetrope-dev-0\.1\.0\.tgz /,
  );
  await rename(`${place}.away`, place);
});

test("from an empty folder with the packages, the README's blocks make a video that plays, and the printed link opens the console once", async () => {
  const { start, ...blocks } = await readQuickstart();
  quickstart = { ...blocks, start: `${manual} ${start}` };
  expect(quickstart.code.trim().split("\n")).toHaveLength(3);
  expect(quickstart.commands.trim().split("\n")).toHaveLength(2);

  dev = await startDev(quickstart.start, app);
  await becomeOperator(dev.text);
  await makeVideo(quickstart, app);
  await expect(startDev(quickstart.start, app)).rejects.toThrow("already running");
});

test("a customer with the client from the service, in an empty folder: an image, its edit, a video of it and its upscale; a file of their own, which a model with a review waits for; and misspelt options cost nothing", async () => {
  const made = await beNodeCustomer(readPrinted(dev.text), join(scratch.path, "customer"), node24);
  expect(await probeVideo(made.video)).toMatchObject({ height: 1080 });
  expect((await readFile(made.image)).subarray(1, 4).toString()).toBe("PNG");
});

test("Ctrl-C leaves no process; the next start finds the data, and completes the tasks that were open", async () => {
  const { url, key } = readPrinted(dev.text);
  const client = createClient(url, key);
  const taskIds = [];
  for (const prompt of ["one", "two", "three"]) // as many as the account may have open
    taskIds.push(await client.create("sd2-fast", { prompt, duration: "4s" }));
  await dev.interrupt();
  expect(await commandsHere()).toEqual([]);

  await using again = await startDev(quickstart.start, app);
  expect(readPrinted(again.text)).toEqual({ url, key });
  expect(again.text).toMatch(/^The console is at http:\/\/localhost:\d+\/console$/m);
  expect(again.text).not.toContain("#token=");
  for (const taskId of taskIds)
    expect(await client.finished(taskId)).toMatchObject({ status: "COMPLETED" });
  const more = await client.create("sd2-fast", { prompt: "four", duration: "4s" });
  expect(await client.finished(more)).toMatchObject({ status: "COMPLETED" });
  await again.interrupt();
  expect(await commandsHere()).toEqual([]);
});

test("every command and program of a page for customers is run by a test", async () => {
  const names = [
    ...(await readdir(join(root, "docs"))).map((name) => `docs/${name}`),
    ...(await readdir(join(root, "packages"))).map((name) => `packages/${name}/README.md`),
  ].filter((name) => name.endsWith(".md") && !otherPages.includes(name));
  for (const page of names) {
    const text = await readPage(page).catch(() => "");
    const unrun = blocksOf(text).filter(
      (block) =>
        !(page in ranElsewhere) &&
        !pages[page]?.some(({ has }) => block.includes(has)) &&
        !Object.keys(ranElsewhere).some(
          (name) => name.startsWith(`${page} `) && block.includes(name.slice(page.length + 1)),
        ),
    );
    expect(unrun, page).toEqual([]);
  }
});
