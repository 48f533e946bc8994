import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import { reach, typeOver } from "../harness/keyboard.ts";
import { creditsOf, promptOf, ready, submit } from "../harness/making.ts";
import type { Visit } from "../harness/visit.ts";

/** The button with the price of the upscale, and that price. */
async function offerOf({ page, t }: Visit) {
  const [name = ""] = t("playground:upscale.run", { credits: "|" }).split("|");
  const button = page.getByRole("article").first().getByRole("button", { name });
  await button.waitFor();
  return { button, price: Number(/\d+/.exec((await button.textContent()) ?? "")?.[0]) };
}

/** Opens the upscale where it was started, and waits for its video. */
async function followUpscale({ page, t }: Visit, press: Visit["press"]): Promise<void> {
  await press(page.getByRole("link", { name: t("playground:upscale.open") }));
  await page.waitForURL(/\/tasks\/[\da-f-]{36}/);
  await page.locator("main video").first().waitFor();
}

export const upscaleJourneys: readonly Journey[] = [
  {
    name: "a finished video is upscaled by one press for exactly the price on that button",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, account, open, press, type, check } = visit;
      await open("/playground");
      await type(promptOf(visit), "A paper boat crosses a puddle");
      await ready(page);
      await press(submit(page));
      await page.locator("article video").waitFor();
      const { button, price } = await offerOf(visit);
      const { credits } = await creditsOf(bed, account.key);
      await check("offer of an upscale");
      await press(button);
      await followUpscale(visit, press);
      expect((await creditsOf(bed, account.key)).credits).toBe(credits - price);
    },
  },
  {
    name: "on a phone with a keyboard alone, a prompt becomes a video and the video is upscaled",
    visitor: { role: "developer", width: 390 },
    async run(visit) {
      const { bed, page, account, open, check } = visit;
      const press: Visit["press"] = async (locator) => {
        await reach(page, locator);
        await page.keyboard.press("Enter");
      };
      await open("/playground");
      await reach(page, promptOf(visit));
      await typeOver(page, "A paper boat crosses a puddle");
      await ready(page);
      await press(submit(page));
      await page.locator("article video").waitFor();
      const { button, price } = await offerOf(visit);
      const { credits } = await creditsOf(bed, account.key);
      await check("offer of an upscale on a phone");
      await press(button);
      await followUpscale(visit, press);
      expect((await creditsOf(bed, account.key)).credits).toBe(credits - price);
    },
  },
];
