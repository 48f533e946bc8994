import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { noteFigures } from "../harness/figures.ts";
import { copyTask } from "../harness/many-tasks.ts";
import { openVisit, type Variant } from "../harness/visit.ts";
import { fillQueue } from "../journeys/review-assets.ts";

const plain: Variant = { language: "en", scheme: "light", isKeyboard: false };
const jsKbMax = 200;
const requestsMax = 3;
const nodesMax = 300;
const manyTasks = 10_000;

/** Tests that pages stay within their budgets. */
export function budgetTests(bed: () => Bed): void {
  test(`the first page loads at most ${jsKbMax} KB of JavaScript, gzipped`, async () => {
    const visit = await openVisit(bed(), { role: "owner", staffRole: "operator" }, plain);
    const scripts = new Set<string>();
    // Pages that may be opened next are loaded later, but not for those who save data.
    await visit.page.addInitScript(() =>
      Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
    );
    visit.page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith(".js")) scripts.add(pathname);
    });
    let jsKb = 0;
    for (const path of ["/gallery", "/playground"]) {
      scripts.clear();
      await visit.open(path);
      await visit.watch.settle();
      const files = [...scripts].map((script) => script.replace("/console/", ""));
      const sizes = files.map(
        async (file) => gzipSync(await readFile(join(bed().dist, file))).length,
      );
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
      jsKb = Math.max(jsKb, sum / 1024);
    }
    await visit.context.close();
    await noteFigures({ jsKb });
    expect(jsKb).toBeGreaterThan(50);
    expect(jsKb).toBeLessThanOrEqual(jsKbMax);
  });

  test(`no page view makes more than ${requestsMax} requests to the API`, async () => {
    const visit = await openVisit(bed(), { role: "owner", staffRole: "operator" }, plain);
    const { page, watch } = visit;
    await fillQueue(visit, ["green", "red", "blue"]); // a page that shows nothing asks for little
    await visit.open("/profile");
    await watch.settle();
    const made: Record<string, string[]> = {};
    for (const link of await page.getByRole("navigation").getByRole("link").all()) {
      const name = (await link.textContent()) ?? "";
      const before = watch.requests.length;
      await link.click();
      // The page before stays until the code of the next one is there.
      await page.waitForFunction((title) => document.title.startsWith(title), name);
      await page.mouse.move(640, 790); // hovering over a link loads its code
      await watch.settle();
      made[name] = watch.requests.slice(before);
    }
    await visit.context.close();
    const counts = Object.values(made).map((requests) => requests.length);
    await noteFigures({ requestsPerPageMax: Math.max(...counts) });
    expect(counts.length).toBeGreaterThan(20);
    const dear = Object.entries(made).filter(([, requests]) => requests.length > requestsMax);
    expect(dear).toEqual([]);
  });

  test(`a gallery of ${manyTasks} tasks has at most ${nodesMax} elements on a screen, wherever it is scrolled`, async () => {
    const visit = await openVisit(bed(), { role: "owner" }, plain);
    const { page, watch, account } = visit;
    const client = new Zoetrope({ baseUrl: bed().origin, apiKey: account.key });
    const { taskId } = await client.run("image-plus-2", { prompt: "a meadow" });
    await copyTask(bed(), taskId, manyTasks);
    await visit.open("/gallery");
    await page.locator("main img").first().waitFor();
    const counts: number[] = [];
    for (let screen = 0; screen < 12; screen++) {
      await page.mouse.move(640, 400);
      await page.mouse.wheel(0, 2_000);
      await watch.settle();
      counts.push(await page.locator("main *").count());
    }
    const top = await page.evaluate(() =>
      Math.max(scrollY, document.querySelector("main")?.scrollTop ?? 0),
    );
    await visit.context.close();
    expect(top).toBeGreaterThan(5_000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(nodesMax);
  });
}
