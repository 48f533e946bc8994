import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Language } from "../../src/i18n/language.ts";
import type { Bed } from "./bed.ts";
import { findFaults } from "./checks.ts";
import { chooseByKeyboard, reach, typeOver } from "./keyboard.ts";
import { openPerson, type Person, type Role, type StaffRole } from "./people.ts";
import { type T, textsOf } from "./texts.ts";
import { type Watch, watchPage } from "./watch-page.ts";

export interface Variant {
  readonly language: Language;
  readonly scheme: "light" | "dark";
  /** No mouse: everything is reached by Tab and arrows. */
  readonly isKeyboard: boolean;
}

export interface Visitor {
  /** The role in a new account with 10,000 credits. */
  readonly role?: Role;
  readonly staffRole?: StaffRole;
  /** Nobody is signed in. */
  readonly isNobody?: boolean;
  readonly width?: number;
  /**
   * Whether the visitor accepts motion. A visit without it costs less: what moves is drawn sixty
   * times a second, as long as a page waits.
   */
  readonly hasMotion?: boolean;
}

/** Somebody in front of the console. */
export interface Visit {
  readonly bed: Bed;
  readonly variant: Variant;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;
  readonly person: Person;
  readonly account: { accountId: string; key: string };
  /** The text of the page in the visit's language: `t("frame:signOut")`. */
  readonly t: T;
  open(path: string): Promise<void>;
  press(locator: Locator): Promise<void>;
  /** Goes to a field as a person does and types over what it holds, key by key. */
  type(locator: Locator, text: string): Promise<void>;
  choose(select: Locator, value: string): Promise<void>;
  /** The page as it is now breaks no rule of accessibility, script or layout. */
  check(state: string): Promise<void>;
}

const waitMs = 120_000;

export async function openVisit(bed: Bed, visitor: Visitor, variant: Variant): Promise<Visit> {
  const account = await bed.stack.openAccount({
    name: "Lumière Films",
    credits: 10_000,
    openTasksMax: 20,
  });
  const { role, staffRole, isNobody = false, width = 1280, hasMotion = false } = visitor;
  const memberships = role === undefined ? [] : [{ accountId: account.accountId, role }];
  const person = await openPerson(bed, { staffRole, memberships });
  const context = await bed.browser.newContext({
    colorScheme: variant.scheme,
    reducedMotion: hasMotion ? "no-preference" : "reduce",
    locale: variant.language === "zh" ? "zh-CN" : "en-GB",
    viewport: { width, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(waitMs);
  if (!isNobody) await signIn(bed, context, person.token);
  const page = await context.newPage();
  const watch = watchPage(page, bed.origin);
  const act = variant.isKeyboard ? keyboardActs(page) : mouseActs(page);
  return {
    bed,
    variant,
    context,
    page,
    watch,
    person,
    account,
    ...act,
    t: textsOf(variant.language),
    async open(path) {
      await page.goto(`${bed.origin}/console${path}`);
      await page.locator("h1").first().waitFor();
    },
    async check(state) {
      await watch.settle();
      expect(await findFaults(page), state).toEqual([]);
      expect(watch.faults, state).toEqual([]);
    },
  };
}

export async function signIn(bed: Bed, context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([
    {
      name: "__Host-session",
      value: token,
      url: bed.origin.replace("http:", "https:"),
      secure: true,
      httpOnly: true,
      sameSite: "Strict",
    },
  ]);
}

function mouseActs(page: Page) {
  return {
    press: (locator: Locator) => locator.click(),
    async type(locator: Locator, text: string) {
      await locator.click();
      await typeOver(page, text);
    },
    choose: async (select: Locator, value: string) => {
      await select.selectOption(value);
    },
  };
}

function keyboardActs(page: Page) {
  return {
    async press(locator: Locator) {
      await reach(page, locator);
      const isBox = await locator.evaluate((element) => element.matches("input"));
      await page.keyboard.press(isBox ? "Space" : "Enter");
    },
    async type(locator: Locator, text: string) {
      await reach(page, locator);
      await typeOver(page, text);
    },
    choose: (select: Locator, value: string) => chooseByKeyboard(page, select, value),
  };
}
