import { readFile } from "node:fs/promises";
import { Zoetrope } from "@zoetrope/sdk";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import { creditsOf, priceOn, promptOf, ready, save, submit } from "../harness/making.ts";

export const compareJourneys: readonly Journey[] = [
  {
    name: "models are compared side by side for one price, and one that is not answered fails alone and is made once",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, watch, account, t, open, press, type, check } = visit;
      await open("/quickstart");
      await watch.settle();
      watch.requests.length = 0;
      await press(page.getByRole("link", { name: t("pages.compare"), exact: true }));
      await promptOf(visit).waitFor();
      await watch.settle();
      expect(watch.requests.length, watch.requests.join()).toBeLessThanOrEqual(3);
      await type(promptOf(visit), "A lighthouse at dusk");
      await press(page.getByRole("checkbox", { name: "Image Plus 2" }));
      await press(page.getByRole("checkbox", { name: "Image Pro 2" }));
      await ready(page);
      await check("ready to compare");
      const price = await priceOn(page);
      await page.route("**/jobs/createTask", async (route) => {
        const isPro = route.request().postData()?.includes("image-pro-2") === true;
        if (!isPro) return route.continue();
        await route.fetch(); // the task is made, and its answer is lost
        await route.abort();
      });
      await press(submit(page));
      await page.locator("article img").waitFor();
      await page.getByRole("alert").waitFor();
      await check("one failed");
      await page.unroute("**/jobs/createTask");
      await press(page.getByRole("button", { name: t("tryAgain") }));
      await page.locator("article img").nth(1).waitFor();
      const { credits, availableCredits } = await creditsOf(bed, account.key);
      expect([credits, availableCredits]).toEqual([10_000 - price, 10_000 - price]);
    },
  },
  {
    name: "two models are compared, both results downloaded, and each charge found in the statement, by clicks alone",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, account, t, open, press, type, check } = visit;
      const follow = (name: string) => press(page.getByRole("link", { name, exact: true }));
      await open("/statement");
      await page.getByRole("row").nth(1).waitFor();
      await follow(t("pages.compare"));
      await type(promptOf(visit), "A harbour in the morning");
      await press(page.getByRole("checkbox", { name: "Image Plus 2" }));
      await press(page.getByRole("checkbox", { name: "Image Pro 2" }));
      await ready(page);
      const price = await priceOn(page);
      await press(submit(page));
      const results = page.getByRole("article");
      await results.locator("img").nth(1).waitFor();
      const taskIds: string[] = [];
      for (const result of [results.nth(0), results.nth(1)]) {
        const link = result.getByRole("link", { name: t("playground:result.open") });
        const taskId = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
        const download = await save(visit, result);
        expect(download.suggestedFilename()).toMatch(new RegExp(`^${taskId}\\.\\w+$`));
        expect((await readFile(await download.path())).length).toBeGreaterThan(1_000);
        taskIds.push(taskId);
      }
      await check("both results");
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      let charged = 0;
      for (const taskId of taskIds) {
        await follow(t("pages.statement"));
        const { creditsUsed } = await client.tasks.get(taskId);
        const entries = page.getByRole("row").filter({ hasText: taskId.slice(-12) });
        const charge = entries.filter({ hasText: t("money:kinds.capture") });
        await expect
          .poll(() => charge.getByRole("cell").nth(5).textContent())
          .toBe(String(creditsUsed));
        await press(charge.getByRole("link"));
        await page.waitForURL(new RegExp(`/tasks/${taskId}`));
        await page.getByText(t("gallery:price.state.charged")).waitFor();
        charged += creditsUsed;
      }
      expect(charged).toBe(price);
    },
  },
];
