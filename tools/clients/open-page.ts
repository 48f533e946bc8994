import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/**
 * Opens `PAGE_URL` in Chromium and prints every line that the page reports as JSON, until it
 * reports null. A violation of the page's policy or an uncaught error ends with an error.
 */
const programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const program = programs.find((path) => existsSync(path));
if (program === undefined) throw new Error("no Chromium: apt-get install chromium-headless-shell");
// biome-ignore lint/style/noProcessEnv: where the page is
const url = process.env["PAGE_URL"] ?? "";
const pageMsMax = 240_000;

const browser = await chromium.launch({ executablePath: program });
try {
  const page = await browser.newPage();
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const fail = (reason: string) => reject(new Error(reason));
  page.on("pageerror", (error) => fail(`${error.message}\n${error.stack}`));
  page.on("crash", () => fail("the page crashed"));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) fail(message.text());
  });
  setTimeout(() => fail("the page is not over"), pageMsMax).unref();
  await page.exposeFunction("reportLine", (line: unknown) => {
    if (line === null) resolve();
    else process.stdout.write(`${JSON.stringify(line)}\n`);
  });
  await page.goto(url);
  await over;
} finally {
  await browser.close();
}
