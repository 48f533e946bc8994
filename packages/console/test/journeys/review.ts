import { withClient } from "@zoetrope/dev/services/with-client.ts";
import { expect } from "vitest";
import { type Journey, profile } from "../harness/journey.ts";
import type { Visit } from "../harness/visit.ts";
import {
  type Content,
  contentNames,
  contents,
  fillQueue,
  lookAt,
  queueVideo,
  readVerdicts,
  type Seen,
} from "./review-assets.ts";

/** A thousand once; the other variants show that the language and the scheme change nothing. */
function countOf({ variant }: Visit): number {
  const isFirst = variant.language === "en" && variant.scheme === "light";
  return profile.isFull && isFirst ? 1_000 : 12;
}

const decisionMsMax = 1_000;

const some = (count: number): Content[] =>
  Array.from({ length: count }, (_, at) => contentNames[(at * 7 + (at >> 2)) % 4] ?? "green");

const expectedOf = (wanted: readonly Content[]) =>
  wanted.map((content, at) =>
    [content, at, contents[content].verdict, contents[content].code].filter(notNull).join(" "),
  );

const notNull = (part: unknown) => part !== null;

/** The heading is there before the queue is read. */
async function openQueue(visit: Visit): Promise<Seen> {
  await visit.open("/review");
  const seen = await lookAt(visit, null);
  if (seen === null) throw new Error("Nothing waits.");
  return seen;
}

/** After a dialog keys are commands again when nobody has typed for a moment. */
async function untilKeysCount({ page }: Visit): Promise<void> {
  await page.locator('[data-quiet="false"]').waitFor();
}

/**
 * Every key comes a second time, as from a nervous finger: before the next asset was seen. It decides nothing.
 * The time counts from the key's way down, as the page's does, so that a busy machine keeps their order.
 */
async function bounceKeys({ page }: Visit): Promise<void> {
  await page.evaluate((bounceMs) => {
    const bounce = ({ key, code, isTrusted }: KeyboardEvent) => {
      if (!isTrusted) return;
      const again = new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true });
      setTimeout(() => document.body.dispatchEvent(again), bounceMs);
    };
    window.addEventListener("keydown", bounce, { capture: true });
  }, 50);
}

export const reviewJourneys: readonly Journey[] = [
  {
    name: "assets are reviewed by keyboard, and each gets the decision that its content asks for, however fast keys are pressed",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const wanted = some(countOf(visit));
      await fillQueue(visit, wanted);
      let seen: Seen | null = await openQueue(visit);
      await visit.check("queue");
      await bounceKeys(visit);
      const startedAt = performance.now();
      while (seen !== null) {
        const { key } = contents[seen.content];
        await visit.page.keyboard.press(key);
        seen = await lookAt(visit, seen.assetId);
      }
      const msEach = (performance.now() - startedAt) / wanted.length;
      const verdicts = await readVerdicts(visit);
      expect(verdicts.toSorted()).toEqual(expectedOf(wanted).toSorted());
      if (wanted.length === 1_000) expect(msEach).toBeLessThan(decisionMsMax);
    },
  },
  {
    name: "a decision is undone by a key and made again; a skipped asset comes again after the others",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t } = visit;
      await fillQueue(visit, ["green", "red", "blue"]);
      const first = await openQueue(visit);
      await page.keyboard.press("s");
      const second = await lookAt(visit, first.assetId);
      await page.keyboard.press("3"); // a slip
      await lookAt(visit, second?.assetId ?? null);
      await page.keyboard.press("u");
      await page.locator(`figure[data-shown="true"][data-asset="${second?.assetId}"]`).waitFor();
      await page.keyboard.press("4");
      const third = await lookAt(visit, second?.assetId ?? null);
      await page.keyboard.press("1");
      const last = await lookAt(visit, third?.assetId ?? null);
      expect(last?.assetId).toBe(first.assetId);
      await page.keyboard.press("a");
      await page.getByText(t("review:empty")).waitFor();
      await visit.check("empty queue");
      expect(await readVerdicts(visit)).toEqual([
        "green 0 passed",
        "red 1 refused minor",
        "red 1 undone",
        "red 1 refused sexual",
        "blue 2 refused consent_missing",
      ]);
    },
  },
  {
    name: "a video is stepped through by keys, by frame and by second, and judged where it stands",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t, open } = visit;
      await queueVideo(visit);
      await open("/review");
      const video = page.locator('figure[data-shown="true"] video');
      await video.waitFor();
      const seconds = () =>
        video.evaluate((element: HTMLVideoElement) => (element.paused ? element.currentTime : -1));
      await page.keyboard.press("."); // a step pauses
      await expect.poll(seconds).toBeGreaterThanOrEqual(0);
      for (const [key, at] of [
        ["Home", 0],
        [".", 1 / 30],
        ["ArrowRight", 1 + 1 / 30],
        ["Shift+ArrowRight", 4],
        ["ArrowLeft", 3],
        [",", 3 - 1 / 30],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(seconds, { message: key }).toBeCloseTo(at, 1);
      }
      await page.keyboard.press("]");
      await expect
        .poll(() => video.evaluate((element: HTMLVideoElement) => element.playbackRate))
        .toBe(1.5);
      await visit.check("a video");
      await page.keyboard.press("a");
      await page.getByText(t("review:empty")).waitFor();
      expect(await readVerdicts(visit)).toEqual(["green 0 passed"]);
    },
  },
  {
    name: "while somebody writes, keys are text: a reason that needs details asks for them, a final one asks first",
    visitor: { staffRole: "operator" },
    async run(visit) {
      const { page, t, press } = visit;
      await fillQueue(visit, ["green", "red"]);
      const first = await openQueue(visit);
      await page.keyboard.press("0");
      const text = page.getByLabel(t("review:text"));
      await text.waitFor();
      await page.keyboard.press("Enter"); // without the details it refuses nothing
      await visit.check("details of a refusal");
      await page.keyboard.type("a test card, as 1 of 2");
      await page.keyboard.press("Enter");
      await lookAt(visit, first.assetId);
      await untilKeysCount(visit);
      await page.keyboard.press("9");
      await page.getByText(t("review:finalAbout")).waitFor();
      await press(page.getByRole("button", { name: t("review:refuse"), exact: true }));
      await page.getByText(t("review:empty")).waitFor();
      expect(await readVerdicts(visit)).toEqual(["green 0 refused other", "red 1 refused illegal"]);
    },
  },
  {
    name: "a refusal in words refuses that asset alone: what is typed before, meanwhile and after decides nothing else",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t, open } = visit;
      await fillQueue(visit, ["white", "red", "green"]);
      const first = await openQueue(visit);
      await page.keyboard.press("Shift+5");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      await page.keyboard.type("shows a weapon, as the user said");
      expect(await dialog.getByRole("textbox").inputValue()).toBe(
        "shows a weapon, as the user said",
      );
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.type("a knife is shown as well "); // somebody who did not look
      const second = await lookAt(visit, first.assetId);
      await untilKeysCount(visit);
      await page.keyboard.press("0");
      await dialog.waitFor();
      await page.keyboard.type("as a");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.keyboard.down("a"); // and holds it down
      await page.keyboard.down("a");
      await page.keyboard.up("a");
      await untilKeysCount(visit);
      await page.keyboard.press("4");
      const third = await lookAt(visit, second?.assetId ?? null);
      expect(third?.content).toBe("green");
      expect(await readVerdicts(visit)).toEqual([
        "white 0 refused violence",
        "red 1 refused sexual",
      ]);
      await open("/review/history");
      await page.getByText("shows a weapon, as the user said", { exact: true }).waitFor();
      await page.getByText(t("review:did.refused"), { exact: true }).first().waitFor();
    },
  },
  {
    name: "a decision by mouse leaves no button under the keys: Space and Enter decide nothing about the next asset",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t } = visit;
      await fillQueue(visit, ["green", "red", "white", "blue"]);
      const first = await openQueue(visit);
      await page.getByRole("button", { name: t("review:approve") }).click();
      const second = await lookAt(visit, first.assetId);
      await page.keyboard.press("Space");
      await page.keyboard.press("Enter");
      await page.locator('button[aria-keyshortcuts="4"]').click();
      const third = await lookAt(visit, second?.assetId ?? null);
      await page.keyboard.press("Space");
      await page.locator('button[aria-keyshortcuts="0"]').click();
      await page.getByRole("dialog").getByRole("textbox").waitFor();
      await page.keyboard.type("a test card");
      await page.keyboard.press("Enter");
      await lookAt(visit, third?.assetId ?? null);
      await untilKeysCount(visit);
      await page.keyboard.press("Space");
      await page.keyboard.press("1");
      await page.getByText(t("review:empty")).waitFor();
      expect(await readVerdicts(visit)).toEqual([
        "green 0 passed",
        "red 1 refused sexual",
        "white 2 refused other",
        "blue 3 refused consent_missing",
      ]);
    },
  },
  {
    name: "an asset that another reviewer took meanwhile is told, nothing is decided on it, and the next one follows",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { bed, page, t } = visit;
      await fillQueue(visit, ["green", "red"]);
      const first = await openQueue(visit);
      await withClient(bed.stack.databaseOwnerUrl, (db) =>
        db.query("update open_reviews set claimed_by = 'command other' where asset_id = $1", [
          first.assetId,
        ]),
      );
      await page.keyboard.press("a");
      const second = await lookAt(visit, first.assetId);
      await page.getByText(t("review:notice.lost", { ids: first.assetId })).waitFor();
      await page.keyboard.press(contents[second?.content ?? "red"].key);
      await page.getByText(t("review:empty")).waitFor();
      expect(await readVerdicts(visit)).toEqual(["red 1 refused sexual"]);
    },
  },
  {
    name: "no asset is there to be judged before its reasons are, so that no key is lost",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t } = visit;
      await fillQueue(visit, ["red"]);
      const held = Promise.withResolvers<void>();
      await page.route("**/review/reasons", async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.clock.install();
      await page.goto(`${visit.bed.origin}/console/review`);
      await page.locator("figure img:not(.invisible)").waitFor();
      await page.clock.runFor(5_000); // longer than an asset has to be seen
      await page.keyboard.press("4");
      expect(await page.locator("figure").getAttribute("data-shown")).toBe("false");
      held.resolve();
      await lookAt(visit, null);
      await page.keyboard.press("4");
      await page.getByText(t("review:empty")).waitFor();
      expect(await readVerdicts(visit)).toEqual(["red 0 refused sexual"]);
    },
  },
  {
    name: "the record shows who decided what, undoes a refusal, and figures count it",
    visitor: { staffRole: "reviewer" },
    async run(visit) {
      const { page, t, open, press } = visit;
      await fillQueue(visit, ["red"]);
      await openQueue(visit);
      await page.keyboard.press("4");
      await page.getByText(t("review:empty")).waitFor();
      await visit.watch.settle();
      await open("/review/history");
      await page.getByText("red 0").waitFor();
      await visit.check("record");
      await press(page.getByRole("button", { name: new RegExp(`^${t("review:undo")}`) }).first());
      await page.getByText(t("review:did.undone"), { exact: true }).first().waitFor();
      expect(await readVerdicts(visit)).toEqual(["red 0 refused sexual", "red 0 undone"]);
      await press(page.getByRole("tab", { name: t("review:historyTab.all") }));
      await page.waitForURL(/of=all/);
      await open("/review/figures");
      const row = page.getByRole("row").filter({ hasText: "Ada Lovelace" }).first();
      await row.waitFor();
      await visit.check("figures");
    },
  },
];
