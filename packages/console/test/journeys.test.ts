import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { type Bed, openBed } from "./harness/bed.ts";
import { noteFigures } from "./harness/figures.ts";
import { type Journey, profile } from "./harness/journey.ts";
import { openVisit, type Variant } from "./harness/visit.ts";
import { assetJourneys } from "./journeys/assets.ts";
import { compareJourneys } from "./journeys/compare.ts";
import { developerJourneys } from "./journeys/developers.ts";
import { frameJourneys } from "./journeys/frame.ts";
import { galleryJourneys } from "./journeys/gallery.ts";
import { moneyJourneys } from "./journeys/money.ts";
import { operationsJourneys } from "./journeys/operations.ts";
import { personJourneys } from "./journeys/person.ts";
import { playgroundJourneys } from "./journeys/playground.ts";
import { priceJourneys } from "./journeys/prices.ts";
import { reviewJourneys } from "./journeys/review.ts";
import { startJourneys } from "./journeys/start.ts";
import { teamJourneys } from "./journeys/team.ts";
import { upscaleJourneys } from "./journeys/upscale.ts";
import { verifyJourneys } from "./journeys/verify.ts";
import { budgetTests } from "./suites/budgets.ts";
import { dialogTests } from "./suites/dialogs.ts";
import { frameTests } from "./suites/frames.ts";
import { hostileTests } from "./suites/hostile.ts";
import { largeHistoryTests } from "./suites/large-history.ts";
import { tabTests } from "./suites/tabs.ts";
import { waitingTests } from "./suites/waiting.ts";

/** A thousand decisions, or ten million rows, take longer than anything in the ordinary run. */
if (profile.isFull) vi.setConfig({ testTimeout: 3_600_000 });

let bed: Bed;
beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed[Symbol.asyncDispose]());

const variants: readonly Variant[] = [
  { language: "en", scheme: "light", isKeyboard: false },
  { language: "zh", scheme: "dark", isKeyboard: false },
  { language: "en", scheme: "dark", isKeyboard: true },
  { language: "zh", scheme: "light", isKeyboard: true },
];

/** The parts of the console whose first journeys are enough where it has not changed. */
const mainParts = [
  frameJourneys,
  playgroundJourneys,
  galleryJourneys,
  moneyJourneys,
  reviewJourneys,
  operationsJourneys,
];

/** Every journey in every variant; in CI each in one, in turn. */
const allJourneys: readonly Journey[] = [
  ...frameJourneys,
  ...playgroundJourneys,
  ...compareJourneys,
  ...assetJourneys,
  ...moneyJourneys,
  ...developerJourneys,
  ...teamJourneys,
  ...reviewJourneys,
  ...galleryJourneys,
  ...operationsJourneys,
  ...priceJourneys,
  ...startJourneys,
  ...personJourneys,
  ...upscaleJourneys,
  ...verifyJourneys,
];
const journeys = profile.isShort ? mainParts.flatMap((part) => part.slice(0, 1)) : allJourneys;

const nameOf = ({ language, scheme, isKeyboard }: Variant) =>
  `${language}, ${scheme}, ${isKeyboard ? "keyboard" : "mouse"}`;

let passed = 0;
afterAll(() => noteFigures({ journeys: passed }));

journeys.forEach((journey, at) => {
  describe(journey.name, () => {
    const { language } = journey;
    const fitting = variants.filter((one) => (language ?? one.language) === one.language);
    const inTurn = at % fitting.length;
    const chosen = profile.isFull ? fitting : fitting.slice(inTurn, inTurn + 1);
    test.for(chosen.map((variant) => [nameOf(variant), variant] as const))(
      "%s",
      async ([, variant]) => {
        const visit = await openVisit(bed, journey.visitor, variant);
        try {
          await journey.run(visit);
          await visit.check("at the end");
          passed += 1;
        } catch (error) {
          const shown = await visit.page.locator("body").ariaSnapshot().catch(String);
          throw new Error(`The page showed:\n${shown}`, { cause: error });
        } finally {
          await visit.context.close();
        }
      },
    );
  });
});

if (!profile.isShort) {
  budgetTests(() => bed);
  hostileTests(() => bed);
  tabTests(() => bed);
  dialogTests(() => bed);
}
if (profile.isFull) {
  waitingTests(() => bed);
  frameTests(() => bed);
  largeHistoryTests(() => bed); // the last one: it fills the database
}
