import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JSHandle, Page } from "playwright-core";
import { expect } from "vitest";
import { snippetOf } from "../../src/features/playground/copy-as/snippets.ts";
import { modelTitle } from "../../src/lib/model-title.ts";
import type { Bed } from "../harness/bed.ts";
import type { Journey } from "../harness/journey.ts";
import { creditsOf, priceOn, promptOf, ready, save, submit } from "../harness/making.ts";
import { openPerson } from "../harness/people.ts";
import { signIn } from "../harness/visit.ts";

function makeImage(bed: Bed, name: string, source: string): string {
  const path = join(bed.scratch.path, name);
  const input = ["-f", "lavfi", "-i", `${source}=size=640x480`, "-frames:v", "1"];
  execFileSync("ffmpeg", ["-y", "-loglevel", "error", ...input, path]);
  return path;
}

/** A file as the clipboard or the pointer brings it. */
async function dragged(page: Page, path: string): Promise<JSHandle<DataTransfer>> {
  const base64 = (await readFile(path)).toString("base64");
  return page.evaluateHandle(
    ([name, text]) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      data.items.add(new File([content], name, { type: "image/png" }));
      return data;
    },
    [basename(path), base64] as const,
  );
}

const hostile = [
  `<img src=x onerror="alert(1)"> </textarea><script>alert(2)</script> it's \`$(id)\` $HOME`,
  "\u202eשלום \u200b **bold** [link](javascript:alert(3)) 🦊",
  "x".repeat(2_000),
].join("\n");

export const playgroundJourneys: readonly Journey[] = [
  {
    name: "a prompt becomes a video beside the form for exactly the price on the button, in at most three requests to open",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, watch, account, t, open, press, type, check } = visit;
      await open("/quickstart");
      await watch.settle();
      watch.requests.length = 0;
      await press(page.getByRole("link", { name: t("pages.playground"), exact: true }));
      await promptOf(visit).waitFor();
      await watch.settle();
      expect(watch.requests.length, watch.requests.join()).toBeLessThanOrEqual(3);
      await expect.poll(() => submit(page).isDisabled()).toBe(true);
      await type(promptOf(visit), "A paper boat crosses a puddle");
      await ready(page);
      await check("filled in");
      const price = await priceOn(page);
      watch.requests.length = 0;
      await press(submit(page));
      await page.locator("article video").waitFor();
      await check("completed");
      expect(watch.requests.filter((one) => one.includes("jobs/")).length).toBe(1);
      expect((await creditsOf(bed, account.key)).credits).toBe(10_000 - price);
      const download = await save(visit, page.getByRole("article"));
      expect(download.suggestedFilename()).toMatch(/^[\da-f-]{36}\.mp4$/);
      const content = await readFile(await download.path());
      expect(content.subarray(4, 8).toString()).toBe("ftyp");
    },
  },
  {
    name: "the button says why it cannot be pressed, and what the service refuses stands at its field",
    visitor: { isNobody: true },
    async run(visit) {
      const { bed, context, page, t, open, press, type, check } = visit;
      const poor = await bed.stack.openAccount({ name: "Poor", credits: 40, openTasksMax: 1 });
      const memberships = [{ accountId: poor.accountId, role: "owner" as const }];
      await signIn(bed, context, (await openPerson(bed, { memberships })).token);
      await open("/playground");
      const missing = t("playground:blocked.missing", { field: t("playground:compare.prompt") });
      await page.getByText(missing).waitFor();
      await type(promptOf(visit), "A heron lands");
      await ready(page);
      const seconds = page.locator("input[type=number]");
      await type(seconds, "99");
      await page.locator("[aria-invalid=true]").first().waitFor();
      await expect.poll(() => submit(page).isDisabled()).toBe(true);
      await check("refused field");
      await type(seconds, "15");
      const needed = t("playground:blocked.credits", { price: 90, available: 40 });
      await page.getByText(needed).waitFor();
      await expect.poll(() => submit(page).isDisabled()).toBe(true);
      await check("too few credits");
      await type(seconds, "4");
      await ready(page);
      await type(promptOf(visit), "A heron lands [sandbox:slow=5]");
      await ready(page);
      await press(submit(page));
      await page.getByText(t("playground:blocked.openTasks", { max: 1 })).waitFor();
      await expect.poll(() => submit(page).isDisabled()).toBe(true);
      await page.locator("article video").waitFor();
      await page
        .getByText(t("playground:blocked.openTasks", { max: 1 }))
        .waitFor({ state: "hidden" });
    },
  },
  {
    name: "a price or a balance that could not be read is asked for again by the page itself, and the button says so meanwhile",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, t, open, type, check } = visit;
      for (const [path, prompt] of [
        ["**/jobs/quote", "While no price can be read"],
        ["**/account/credits", "While no balance can be read"],
      ] as const) {
        await page.route(path, (route) => route.abort());
        await open("/playground?model=image-plus-2");
        await type(promptOf(visit), prompt);
        const alert = page.getByRole("alert");
        await alert.getByText("no_answer").waitFor();
        await alert.getByText(t("error.again")).waitFor();
        expect(await submit(page).isDisabled()).toBe(true);
        await check(prompt);
        await page.unroute(path);
        await ready(page);
        await alert.waitFor({ state: "hidden" });
      }
    },
  },
  {
    name: "a hostile prompt is never lost, never run, and copied as exactly the request of the form",
    visitor: { role: "owner", width: 390 },
    async run(visit) {
      const { bed, page, t, open, press, choose, type, check } = visit;
      await open("/playground?model=image-plus-2");
      await type(promptOf(visit), hostile);
      await ready(page);
      const maxCredits = await priceOn(page);
      const request = { model: "image-plus-2", inputs: { prompt: hostile }, maxCredits };
      for (const [name, language] of [
        ["curl", "curl"],
        ["CLI", "cli"],
      ] as const) {
        await press(page.getByRole("tab", { name, exact: true }));
        await press(page.getByRole("button", { name: t("copy"), exact: true }));
        await page.getByText(t("copied")).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        expect(copied).toBe(snippetOf(language, request, bed.origin));
        await page.getByText(t("copied")).waitFor({ state: "hidden" });
      }
      await page.reload();
      await page.locator("h1").waitFor();
      await expect.poll(() => promptOf(visit).inputValue()).toBe(hostile);
      await choose(page.getByLabel(t("playground:model")), "image-pro-2");
      await page.waitForURL(/model=image-pro-2/);
      await expect.poll(() => promptOf(visit).inputValue()).toBe(hostile);
      await check("another model with the same prompt");
    },
  },
  {
    name: "files are uploaded by choosing, pasting and dropping, keep their order, and a file of the wrong type is not sent",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, t, open, press, check } = visit;
      const first = makeImage(bed, "a.png", "testsrc");
      const second = makeImage(bed, "b.png", "rgbtestsrc");
      const third = makeImage(bed, "c.png", "smptebars");
      await open("/playground?model=image-plus-2&mode=edit");
      const files = page.locator("input[type=file]");
      await files.setInputFiles({
        name: "a.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("a"),
      });
      await page.getByText("JPEG, PNG, WEBP").first().waitFor();
      await press(page.getByRole("button", { name: t("playground:files.remove"), exact: true }));
      await files.setInputFiles(first);
      const tiles = page.locator("ol > li");
      await tiles.first().waitFor();
      await page.evaluate(
        (clipboardData) =>
          document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true })),
        await dragged(page, second),
      );
      await tiles.nth(1).waitFor();
      await press(page.getByRole("button", { name: t("playground:files.earlier", { number: 2 }) }));
      await expect.poll(() => tiles.allTextContents()).toEqual(["b.png", "a.png"]);
      const dataTransfer = await dragged(page, third);
      const beside = await page
        .locator("h1")
        .evaluate(
          (element, data) =>
            element.dispatchEvent(
              new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }),
            ),
          dataTransfer,
        );
      expect(beside, "the page is left for a file beside its place").toBe(false);
      const place = page.getByText(t("playground:files.drop"));
      await place.dispatchEvent("dragover", { dataTransfer });
      await place.dispatchEvent("drop", { dataTransfer });
      await expect.poll(() => tiles.allTextContents()).toEqual(["b.png", "a.png", "c.png"]);
      await press(page.getByLabel(t("playground:files.showPeople")));
      await files.setInputFiles(makeImage(bed, "d.png", "testsrc2"));
      const dialog = page.getByRole("dialog");
      await visit.type(dialog.getByLabel(t("assets:people")), "Ada Lovelace");
      await visit.type(dialog.getByLabel(t("assets:purpose")), "A portrait");
      await check("declaration");
      const declared = page.waitForRequest(
        (request) => request.postData()?.includes('"people":"Ada Lovelace"') === true,
      );
      await press(
        dialog.getByRole("button", { name: t("assets:uploadFiles", { count: 1 }), exact: true }),
      );
      await declared;
      await expect
        .poll(() => tiles.allTextContents())
        .toEqual(["b.png", "a.png", "c.png", "d.png"]);
      await visit.type(promptOf(visit), "The same at night");
      await ready(page);
      await check("files");
      const creates: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/createTask")) creates.push(request.url());
      });
      await press(page.getByRole("button", { name: t("playground:files.library") }));
      await dialog.locator("img").nth(1).waitFor();
      await check("asset picker");
      await page.keyboard.press("Control+Enter");
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(creates, "keys of the library start a task").toEqual([]);
      await press(submit(page));
      await page.locator("article img").waitFor();
      expect(creates).toHaveLength(1);
      await open(
        "/playground?model=happyhorse&mode=image-to-video&asset=asset-20260101000000-abcde",
      );
      await check("an asset to use");
      const group = page.getByRole("group").first();
      await press(
        page
          .getByText(t("playground:asset.as", { asset: "asset-20260101000000-abcde" }))
          .locator("..")
          .getByRole("button"),
      );
      await group.getByText("asset-20260101000000-abcde").waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.has("asset")).toBe(false);
    },
  },
  {
    name: "a task is run again with changes, from its request and from the list of earlier runs",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, t, open, press, type, check } = visit;
      await open("/playground?model=image-plus-2");
      await type(promptOf(visit), "First version");
      await page.getByRole("radio", { name: "16:9" }).check({ force: true });
      await ready(page);
      await press(submit(page));
      await page.locator("article img").waitFor();
      await type(promptOf(visit), "Something else");
      await press(page.getByRole("button", { name: t("playground:result.again") }));
      await page.waitForFunction(
        () => document.querySelector("textarea")?.value === "First version",
      );
      await expect.poll(() => page.getByRole("radio", { name: "16:9" }).isChecked()).toBe(true);
      await expect.poll(() => new URL(page.url()).searchParams.get("mode")).toBe("text-to-image");
      await page.reload();
      await press(page.getByRole("button", { name: t("playground:history.show") }));
      await press(page.getByRole("button", { name: /Image Plus 2/ }));
      await page.locator("article img").waitFor();
      await check("earlier run");
      await page.evaluate(() => sessionStorage.clear()); // the service knows the request too
      await type(promptOf(visit), "Something else");
      await press(page.getByRole("button", { name: t("playground:result.again") }));
      await page.waitForFunction(
        () => document.querySelector("textarea")?.value === "First version",
      );
      await expect.poll(() => page.getByRole("radio", { name: "16:9" }).isChecked()).toBe(true);
    },
  },
  {
    name: "in a Chinese console the price, the refusal under the button and why a task failed are Chinese",
    visitor: { role: "developer" },
    language: "zh",
    async run(visit) {
      const { page, t, open, type, press, check } = visit;
      const isChinese = /[\u4e00-\u9fff].*。$/;
      const english = /[a-z]{4,} [a-z]{2,} [a-z]{2,}/;
      await open("/playground?model=sd2");
      const options = page.getByLabel(t("playground:model"), { exact: true }).locator("option");
      for (const option of await options.all())
        expect(modelTitle((await option.getAttribute("value")) ?? "")).toBe(
          await option.textContent(),
        );
      await type(promptOf(visit), "A fox [sandbox:fail=output_blocked]");
      await ready(page);
      expect(await submit(page).locator("xpath=../..").textContent()).not.toMatch(english);
      await press(submit(page));
      const failure = page.getByRole("article").getByRole("alert");
      expect(await failure.locator("p").first().textContent()).toMatch(isChinese);
      expect(await failure.textContent()).not.toMatch(english);
      await check("failed");
      await open(
        "/playground?model=happyhorse&mode=image-to-video&asset=asset-20260101000000-none",
      );
      await press(
        page
          .getByText(/asset-20260101000000-none/)
          .locator("..")
          .getByRole("button"),
      );
      const refusal = page.getByText("没有此素材");
      await refusal.first().waitFor();
      expect(await refusal.first().textContent()).not.toMatch(english);
      await expect.poll(() => submit(page).isDisabled()).toBe(true);
    },
  },
  {
    name: "in a test account an outcome is simulated by a click, is told with its code, and costs nothing",
    visitor: { role: "developer" },
    async run(visit) {
      const { bed, page, account, t, open, press, type, check } = visit;
      const wanted = { name: "t", mode: "test" };
      await bed.stack.admin("POST", `/accounts/${account.accountId}/keys`, wanted);
      await open("/playground?model=sd2");
      const accounts = page.getByLabel(t("frame:account"), { exact: true });
      await visit.choose(
        accounts,
        (await accounts.locator("option").last().getAttribute("value")) ?? "",
      );
      await page.getByText(t("testMode")).waitFor();
      await type(promptOf(visit), "A fox");
      await press(page.getByText(t("playground:magic.title")));
      await press(page.getByRole("button", { name: "[sandbox:fail=output_blocked]" }));
      await expect
        .poll(() => promptOf(visit).inputValue())
        .toBe("A fox [sandbox:fail=output_blocked]");
      await ready(page);
      await press(submit(page));
      await page.getByText("output_blocked", { exact: true }).waitFor();
      await page.getByText(t("playground:result.free")).waitFor();
      await check("failed");
      await open("/quickstart?language=python");
      await page.getByText("zoe_test_…").first().waitFor();
      const address = new URL("/packages/zoetrope-", page.url()).href;
      await page.getByText(`pip install ${address}`).waitFor();
      await check("quickstart");
    },
  },
];
