import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { openVisit, type Visit } from "../harness/visit.ts";

/** Returns the forms that open in a dialog: the page, and the name of the button. */
function formsOf({ account, t }: Visit): readonly (readonly [string, string | RegExp])[] {
  const accountPath = `/operations/accounts/${account.accountId}`;
  return [
    ["/keys", t("developers:keys.create")],
    ["/keys", new RegExp(`^${t("developers:keys.change")}`)],
    ["/webhooks", t("developers:endpoints.create")],
    ["/webhooks?tab=deliveries", t("developers:deliveries.range")],
    ["/members", t("team:invite")],
    ["/assets", t("assets:fromUrl")],
    ["/operations/accounts", t("operations:accounts.create")],
    [accountPath, t("operations:account.change")],
    [accountPath, t("operations:account.suspend")],
    [accountPath, t("operations:agreements.record")],
    ["/operations/grants", t("operations:grants.ask")],
    ["/operations/switches", t("operations:models.switchOffTitle", { model: "Image Plus 2" })],
    ["/gallery", new RegExp(t("search"))],
  ];
}

export function dialogTests(bed: () => Bed): void {
  test("whoever opens a form in a dialog and types, types into its first field, and a space closes nothing", async () => {
    const visit = await openVisit(
      bed(),
      { role: "owner", staffRole: "operator" },
      { language: "en", scheme: "light", isKeyboard: true },
    );
    const { page, press, open } = visit;
    const dialog = page.getByRole("dialog");
    for (const [path, name] of formsOf(visit)) {
      await open(path);
      await press(page.getByRole("button", { name }).first());
      await dialog.waitFor();
      await page.keyboard.press("1");
      await page.keyboard.press("Space");
      await page.keyboard.press("2");
      const field = dialog.locator("input, textarea, select").first();
      const state = await field.evaluate((element) => ({
        isFocused: element === document.activeElement,
        isOpen: element.closest("dialog")?.open,
      }));
      expect(state, `${path} ${name}`).toEqual({ isFocused: true, isOpen: true });
    }
    expect(visit.watch.faults).toEqual([]);
    await visit.context.close();
  });
}
