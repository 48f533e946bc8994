import type { Download, Locator, Page } from "playwright-core";
import type { Bed } from "./bed.ts";
import type { Visit } from "./visit.ts";

/** The button with the price. */
export const submit = (page: Page) => page.locator("button[type=submit]");

/** Until the service has said that it would accept. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector("button[type=submit]:not(:disabled)") !== null,
  );
}

export const creditsOf = async (bed: Bed, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${bed.origin}/api/v1/account/credits`, { headers });
  return (await response.json()) as { credits: number; availableCredits: number };
};

/** The price on the button. */
export const priceOn = async (page: Page) =>
  Number(/\d+/.exec((await submit(page).textContent()) ?? "")?.[0]);

export const promptOf = ({ page, t }: Visit) =>
  page.getByLabel(t("playground:compare.prompt"), { exact: true });

/** Downloads the file of a result. */
export async function save({ page, t, press }: Visit, result: Locator): Promise<Download> {
  const [name = ""] = t("gallery:download.one", { size: "|" }).split("|");
  const saved = page.waitForEvent("download");
  await press(result.getByRole("button", { name }));
  return saved;
}
