import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** More than any page has; a person who needs as many gives up. */
const tabsMax = 250;

const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element === document.activeElement);

/** Moves the focus to an element as somebody without a mouse does. */
export async function reach(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor();
  await expect.poll(() => locator.isEnabled()).toBe(true);
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await isFocused(locator)) return;
    if (await arrowInGroup(page, locator)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${locator} cannot be reached by the keyboard.`);
}

/** Nobody types more than this: longer texts are pasted. */
const typedMax = 200;

/** Types over the focused field, whichever it is. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+A");
  if (text.length > typedMax) await page.keyboard.insertText(text);
  else await page.keyboard.type(text);
}

/** Inside a group of tabs or radio buttons arrows lead on. */
async function arrowInGroup(page: Page, locator: Locator): Promise<boolean> {
  const members = await locator.evaluate((element) => {
    const group = element.closest("[role=tablist], [role=radiogroup], fieldset");
    const isMember = element.matches("[role=tab], [role=radio], input[type=radio]");
    return isMember && group?.contains(document.activeElement) === true
      ? group.querySelectorAll("[role=tab], [role=radio], input[type=radio]").length
      : 0;
  });
  for (let at = 0; at < members; at++) {
    await page.keyboard.press("ArrowRight");
    if (await isFocused(locator)) return true;
  }
  return false;
}

export async function chooseByKeyboard(page: Page, select: Locator, value: string): Promise<void> {
  await reach(page, select);
  const { at, count } = await select.evaluate((element, wanted) => {
    const { options, selectedIndex } = element as HTMLSelectElement;
    const index = [...options].findIndex((option) => option.value === wanted);
    return { at: index - selectedIndex, count: index };
  }, value);
  if (count < 0) throw new Error(`There is no option ${value}.`);
  for (let step = 0; step < Math.abs(at); step++)
    await page.keyboard.press(at > 0 ? "ArrowDown" : "ArrowUp");
}
