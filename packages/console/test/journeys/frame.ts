import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import { signIn } from "../harness/visit.ts";

const password = "correct horse battery staple";

export const frameJourneys: readonly Journey[] = [
  {
    name: "an invited person accepts, signs out, and signs in again with the password",
    visitor: { isNobody: true },
    async run({ bed, page, account, t, press, type, check }) {
      const email = `${account.accountId}@example.org`;
      const { url } = await bed.stack.admin("POST", "/accounts/invitations", {
        accountId: account.accountId,
        email,
        role: "owner",
        asLink: true,
      });
      await page.goto(String(url));
      await type(page.getByLabel(t("invitation.name")), "Grace Hopper");
      await type(page.getByLabel(t("invitation.password")), password);
      await check("invitation");
      await press(page.getByRole("button", { name: t("invitation.accept") }));
      await press(page.getByRole("button", { name: "Grace Hopper" }));
      await check("person menu");
      await press(page.getByRole("button", { name: t("signOut") }));
      await type(page.getByLabel(t("signIn.email")), email);
      await type(page.getByLabel(t("signIn.password")), "not the password");
      await press(page.getByRole("button", { name: t("signIn.submit"), exact: true }));
      await page.getByRole("alert").waitFor();
      await check("refused sign-in");
      await type(page.getByLabel(t("signIn.password")), password);
      await press(page.getByRole("button", { name: t("signIn.submit"), exact: true }));
      await page.getByRole("button", { name: "Grace Hopper" }).waitFor();
    },
  },
  {
    name: "somebody who is not signed in is led to the sign-in and back to the page of the link",
    visitor: { isNobody: true, role: "viewer" },
    async run({ bed, context, page, person, t, check, open }) {
      await open("/statement?from=2026-01-01");
      await expect.poll(() => new URL(page.url()).pathname).toBe("/console/sign-in");
      await page.getByLabel(t("signIn.email")).waitFor();
      await check("sign-in");
      const returnTo = new URL(page.url()).searchParams.get("returnTo");
      expect(returnTo).toBe("/console/statement?from=2026-01-01");
      await signIn(bed, context, person.token);
      await page.goto(`${bed.origin}${returnTo}`);
      await page.getByRole("heading", { name: t("pages.statement"), level: 1 }).waitFor();
    },
  },
  {
    name: "the palette opens a page by its name, and the appearance and the language are kept",
    visitor: { role: "developer" },
    async run({ page, variant, t, open, press, choose, check }) {
      await open("/gallery");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: t("palette.label") }).waitFor();
      await check("palette");
      await page.keyboard.type(t("pages.keys"));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: t("pages.keys"), level: 1 }).waitFor();
      await press(page.getByRole("button", { name: "Ada Lovelace" }));
      await choose(page.getByLabel(t("theme")), variant.scheme === "dark" ? "light" : "dark");
      const other = variant.language === "zh" ? "en" : "zh";
      await choose(page.getByLabel(t("language")), other);
      await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), other);
      await page.reload();
      await page.locator("h1").waitFor();
      const { lang, theme } = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        theme: document.documentElement.dataset["theme"],
      }));
      expect(lang.startsWith(other)).toBe(true);
      expect(theme).toBe(variant.scheme === "dark" ? "light" : "dark");
    },
  },
  {
    name: "whoever is led to a page sees that it is loading until it is there, and never an empty page",
    visitor: { role: "owner" },
    async run({ bed, page, t }) {
      const held = Promise.withResolvers<void>();
      await page.route("**/assets/playground-*.js", async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.addInitScript(() => {
        const note = () => {
          if (document.querySelector("main")?.textContent === "")
            Object.assign(window, { empty: 1 });
        };
        new MutationObserver(note).observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${bed.origin}/console/`);
      await page.getByRole("main").getByText(t("loading")).first().waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Ada Lovelace" }).waitFor();
      held.resolve();
      await page.getByRole("heading", { name: t("pages.playground"), level: 1 }).waitFor();
      expect(await page.evaluate(() => "empty" in window)).toBe(false);
    },
  },
  {
    name: "a page that is opened while the service is away says so, and appears by itself when it is back",
    visitor: { role: "developer" },
    async run({ bed, page, t, check }) {
      await page.route("**/api/v1/me", (route) => route.abort());
      await page.goto(`${bed.origin}/console/gallery`);
      const alert = page.getByRole("alert");
      await alert.getByText("no_answer").waitFor();
      await alert.getByText(t("error.client.noAnswer")).waitFor();
      await alert.getByText(t("error.again")).waitFor();
      await check("the service is away");
      await page.unroute("**/api/v1/me");
      await page.getByRole("heading", { name: t("pages.gallery"), level: 1 }).waitFor();
      await page.goto(`${bed.origin}/console/nowhere`);
      await page.getByRole("heading", { name: t("error.notFound") }).waitFor();
      await check("a page that does not exist");
    },
  },
  {
    name: "what a role may not do is not shown: a viewer sees no playground and no team, a reviewer only the review",
    visitor: { staffRole: "reviewer" },
    async run({ page, t, open, check }) {
      await open("/");
      await page.getByRole("heading", { name: t("pages.queue"), level: 1 }).waitFor();
      const links = await page.getByRole("navigation").getByRole("link").allTextContents();
      expect(links).toEqual([t("pages.queue"), t("pages.reviewHistory"), t("pages.figures")]);
      await check("navigation of a reviewer");
    },
  },
];
