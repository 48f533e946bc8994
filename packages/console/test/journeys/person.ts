import { Zoetrope } from "@zoetrope/sdk";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";

/**
 * Journeys through conditions that people meet: a train without a network, a telephone, a link from
 * a colleague.
 */
export const personJourneys: readonly Journey[] = [
  {
    name: "without a network the menu stays: pages that were loaded ahead open, another says what is missing and comes by itself",
    visitor: { role: "owner" },
    async run({ context, page, t, open, press, check }) {
      const link = (name: "statement" | "keys") =>
        page.getByRole("navigation").getByRole("link", { name: t(`pages.${name}`), exact: true });
      const title = (name: "statement" | "keys") =>
        page.getByRole("heading", { name: t(`pages.${name}`), level: 1 });
      const ahead = page.waitForResponse(/\/assets\/statement-.*\.js$/);
      await page.route("**/assets/keys-*.js", (route) => route.abort());
      await open("/gallery");
      await (await ahead).finished();
      await context.setOffline(true);
      await press(link("statement"));
      await title("statement").waitFor();
      await page.getByRole("alert").first().waitFor();
      await press(link("keys"));
      const alert = page.getByRole("alert").filter({ hasText: t("error.pageNotLoaded") });
      await alert.getByText(t("error.again")).waitFor();
      await link("statement").waitFor();
      await check("offline");
      await page.unroute("**/assets/keys-*.js");
      await context.setOffline(false);
      await title("keys").waitFor();
    },
  },
  {
    name: "on a telephone the menu closes by a tap beside it and by Escape, the last bar's values can be read, and rows are cards",
    visitor: { role: "owner", width: 390 },
    async run({ bed, account, page, t, open, press, check }) {
      const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
      await client.run("image-plus-2", { prompt: "a pier" });
      await open("/usage");
      const bar = page.locator("[data-bar]").last();
      await bar.waitFor();
      await bar.hover({ force: true });
      const values = await page.getByRole("status").filter({ hasText: ":" }).boundingBox();
      expect(values?.width).toBeGreaterThan(80);
      expect((values?.x ?? 0) + (values?.width ?? 0)).toBeLessThanOrEqual(390);
      await check("usage");
      const menu = page.getByRole("button", { name: t("menu"), exact: true });
      const link = page.getByRole("link", { name: t("pages.keys"), exact: true });
      await press(menu);
      await link.waitFor();
      await page.mouse.click(370, 400);
      await link.waitFor({ state: "hidden" });
      expect(new URL(page.url()).pathname).toBe("/console/usage");
      await press(menu);
      await link.waitFor();
      const isInert = () =>
        page.locator("main").evaluate((main) => main instanceof HTMLElement && main.inert);
      expect(await isInert(), "the page behind the menu can be reached").toBe(true);
      await page.keyboard.press("Escape");
      await link.waitFor({ state: "hidden" });
      await expect.poll(isInert).toBe(false);
      for (const path of ["/members", "/keys", "/statement", "/profile"]) {
        await open(path);
        await check(path);
        const narrow = await page
          .locator("td")
          .evaluateAll((cells) =>
            cells
              .filter((cell) => cell.clientHeight > 0 && cell.clientWidth < 100)
              .map((cell) => cell.textContent),
          );
        expect(narrow, path).toEqual([]);
      }
      await page
        .getByText(t("team:profile.browserOn", { browser: "Edge", system: "Windows" }))
        .waitFor();
    },
  },
  {
    name: "a page that a role may not use says so and shows nothing of it, and one that does not exist keeps the menu",
    visitor: { role: "viewer" },
    async run({ page, watch, t, open, check }) {
      for (const path of [
        "/members",
        "/audit",
        "/playground",
        "/review",
        "/operations",
        "/start",
      ]) {
        await open(path);
        await page.getByRole("heading", { name: t("error.noAccess") }).waitFor();
        expect(await page.getByRole("main").getByRole("button").count(), path).toBe(0);
      }
      await check("no access");
      expect(
        watch.requests.filter((request) => /members|audit|review|admin/.test(request)),
      ).toEqual([]);
      for (const path of ["/Members", "/OPERATIONS", "/nowhere"]) {
        await open(path);
        await page.getByRole("heading", { name: t("error.notFound") }).waitFor();
      }
      await page.getByRole("link", { name: t("pages.gallery"), exact: true }).waitFor();
      await check("a page that does not exist");
    },
  },
  {
    name: "the first test key brings the test account to the menu at once, where the next key is a test key by itself",
    visitor: { role: "owner" },
    async run({ page, t, open, type, press, choose }) {
      await open("/keys");
      const create = page.getByRole("button", { name: t("developers:keys.create"), exact: true });
      const dialog = page.getByRole("dialog");
      const mode = dialog.getByLabel(t("developers:keys.mode"));
      const accounts = page.getByLabel(t("frame:account"), { exact: true });
      const before = await accounts.getByRole("option").count();
      await press(create.first());
      expect(await mode.inputValue()).toBe("live");
      await page.keyboard.type("first test");
      await choose(mode, "test");
      await press(dialog.getByRole("button", { name: t("developers:keys.create") }));
      await press(dialog.getByRole("button", { name: t("developers:keys.done") }));
      await expect.poll(() => accounts.getByRole("option").count()).toBe(before + 1);
      const id = await accounts.getByRole("option").last().getAttribute("value");
      await choose(accounts, id ?? "");
      await page.getByText(t("testMode")).waitFor();
      await press(create.first());
      await type(dialog.getByLabel(t("developers:keys.name")), "second test");
      expect(await mode.inputValue()).toBe("test");
    },
  },
];
