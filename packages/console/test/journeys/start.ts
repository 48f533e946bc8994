import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";

export const startJourneys: readonly Journey[] = [
  {
    name: "a new operator is led from nothing to the first video in the browser, and what is done stays done",
    visitor: { staffRole: "operator" },
    async run({ page, t, open, press, type, check }) {
      await open("/");
      await page.getByRole("heading", { name: t("pages.start"), level: 1 }).waitFor();
      await check("first start");
      await type(page.getByLabel(t("start:account.name")), "First <i>account</i>");
      await press(page.getByRole("button", { name: t("start:account.create") }));
      await press(page.getByRole("button", { name: t("start:key.make.test") }));
      await page.getByText(/^zoe_test_/).waitFor();
      await check("key");
      await press(page.getByRole("link", { name: t("start:video.open") }));
      await page.getByRole("heading", { name: t("pages.playground"), level: 1 }).waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.get("account")).not.toBeNull();
      await type(
        page.getByLabel(t("playground:compare.prompt"), { exact: true }),
        "A paper boat crosses a puddle",
      );
      await press(page.locator("button[type=submit]"));
      await page.locator("article video").waitFor();
      await open("/start");
      await page.getByRole("link", { name: t("start:video.gallery") }).waitFor();
      await expect.poll(() => page.getByText(t("start:done"), { exact: true }).count()).toBe(4);
    },
  },
];
