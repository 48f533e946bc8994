import { readFile } from "node:fs/promises";
import { Zoetrope } from "@zoetrope/sdk";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import type { Visit } from "../harness/visit.ts";

/** A finished image of the visit's account. */
function makeImage(
  { bed, account }: Visit,
  prompt: string,
  model: "image-plus-2" | "image-pro-2" = "image-plus-2",
) {
  const client = new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
  return client.run(model, { prompt });
}

export const moneyJourneys: readonly Journey[] = [
  {
    name: "what a task cost is in the usage, as a chart and as a table, and in the statement, to the credit",
    visitor: { role: "owner" },
    async run(visit) {
      const { page, t, open, choose, press, check } = visit;
      const { taskId, creditsUsed } = await makeImage(visit, "a lighthouse");
      await expect(makeImage(visit, "[sandbox:fail] a storm", "image-pro-2")).rejects.toThrow();
      await open("/usage");
      await page.locator("[data-bar]").first().waitFor(); // a bar without a width is not visible
      const legend = page.locator("figure ul").getByRole("listitem");
      expect(await legend.allTextContents(), "models that cost nothing").toEqual(["Image Plus 2"]);
      await check("usage as a chart");
      await choose(page.getByLabel(t("money:view")), "table");
      const row = page.getByRole("row").filter({ hasText: "Image Plus 2" });
      await expect.poll(() => row.getByRole("cell").last().textContent()).toBe(String(creditsUsed));
      await expect.poll(() => page.url()).toContain("view=table");
      await check("usage as a table");
      await choose(page.getByLabel(t("money:group.label")), "key");
      await page.getByRole("row").nth(1).waitFor();
      await press(page.getByRole("link", { name: t("pages.statement") }));
      const charge = page.getByRole("row").filter({ hasText: t("money:kinds.capture") });
      await expect.poll(() => charge.getByRole("link").getAttribute("href")).toContain(taskId);
      await expect
        .poll(() => charge.getByRole("cell").nth(5).textContent())
        .toBe(String(creditsUsed));
      await check("statement");
    },
  },
  {
    name: "the statement as CSV has every entry once, and runs nothing in a spreadsheet",
    visitor: { role: "viewer" },
    async run(visit) {
      const { bed, page, account, t, open, press } = visit;
      await bed.stack.admin("POST", "/grants", {
        accountId: account.accountId,
        kind: "grant",
        credits: 7,
        reason: "=cmd|' /C calc'!A0",
      });
      await makeImage(visit, "a boat");
      await open("/statement");
      const saved = page.waitForEvent("download");
      await press(page.getByRole("button", { name: t("money:csv") }));
      const lines = (await readFile(await (await saved).path(), "utf8")).trim().split("\r\n");
      const [head, ...entries] = lines;
      expect(head).toBe("number,time,kind,amount,credits,availableCredits,taskId,note");
      expect(entries.map((line) => line.split(",")[0])).toEqual(["4", "3", "2", "1"]);
      expect(lines.some((line) => /,=/.test(line))).toBe(false);
    },
  },
  {
    name: "an owner sets below which balance the account is told, sees that it is low, and removes it",
    visitor: { role: "owner" },
    async run({ page, t, open, type, press, check }) {
      await open("/alerts");
      await type(page.getByLabel(t("money:lowLimit")), "2.5");
      await expect
        .poll(() => page.getByRole("button", { name: t("save") }).isDisabled())
        .toBe(true);
      await check("a number that is refused");
      await type(page.getByLabel(t("money:lowLimit")), "20000");
      await press(page.getByRole("button", { name: t("save") }));
      await page.getByText(t("money:lowNow")).waitFor();
      await check("low credits");
      await page.reload();
      await page.getByText(t("money:lowNow")).waitFor();
      await press(page.getByRole("button", { name: t("money:remove") }));
      await page.getByText(t("money:lowOff")).waitFor();
    },
  },
];
