import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Zoetrope } from "@zoetrope/sdk";
import { startReceiver } from "@zoetrope/testkit/start-receiver.ts";
import { expect } from "vitest";
import type { Journey } from "../harness/journey.ts";
import type { Visit } from "../harness/visit.ts";

const model = "image-plus-2" as const;

function clientOf({ bed, account }: Visit): Zoetrope {
  return new Zoetrope({ baseUrl: bed.origin, apiKey: account.key });
}

/** Finished images of the visit's account, the last one first. */
async function makeImages(visit: Visit, prompts: readonly string[]): Promise<string[]> {
  const client = clientOf(visit);
  const taskIds: string[] = [];
  for (const prompt of prompts) taskIds.unshift((await client.run(model, { prompt })).taskId);
  return taskIds;
}

/** A site of somebody else: an empty page. */
async function startSite() {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>A shop</title>");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** The link of a task's tile. */
const tileOf = ({ page }: Visit, taskId = "") => page.locator(`[data-task="${taskId}"]`);

const openOf = ({ page }: Visit) => new URL(page.url()).searchParams.get("open");

export const galleryJourneys: readonly Journey[] = [
  {
    name: "a task appears in the gallery when it starts and shows its poster when it ends, without a request",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, watch, t, open, check } = visit;
      await open("/gallery");
      await page.getByText(t("gallery:empty.title")).waitFor();
      await check("empty gallery");
      const before = watch.requests.length;
      const { taskId } = await clientOf(visit).run(model, { prompt: "a heron" });
      await tileOf(visit, taskId).locator("img").waitFor();
      expect(watch.requests.slice(before)).toEqual([]);
      await check("gallery with a new task");
    },
  },
  {
    name: "a task that ends after the list was read and before the stream is open is in the gallery",
    visitor: { role: "viewer" },
    async run(visit) {
      const { page, t, open } = visit;
      let taskId = "";
      await page.route("**/api/v1/events*", async (route) => {
        await page.getByText(t("gallery:empty.title")).waitFor();
        ({ taskId } = await clientOf(visit).run(model, { prompt: "a wren" }));
        await route.continue();
      });
      await open("/gallery");
      await expect.poll(() => taskId).not.toBe("");
      await tileOf(visit, taskId).locator("img").waitFor();
    },
  },
  {
    name: "a video plays while the pointer is on its tile, one at a time, and its loading stops when the pointer leaves",
    visitor: { role: "viewer", hasMotion: true },
    async run(visit) {
      const { page, open, check } = visit;
      const [image] = await makeImages(visit, ["a lamp"]);
      const inputs = { prompt: "a lamp that swings", duration: "4" as const };
      const { taskId: first } = await clientOf(visit).run("sd2-fast", inputs);
      const { taskId: second } = await clientOf(visit).run("sd2-fast", inputs);
      await open("/gallery");
      const videos = page.locator("[data-task] video");
      for (const taskId of [first, second]) {
        const caption = page.locator("li").filter({ has: tileOf(visit, taskId) });
        await caption.getByText("SD2 Fast").hover();
        const video = tileOf(visit, taskId).locator("video");
        await expect
          .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
          .toBeGreaterThan(0);
        await expect.poll(() => videos.count()).toBe(1);
      }
      await check("preview");
      const playing = await videos.elementHandle();
      await tileOf(visit, image).hover();
      await expect.poll(() => videos.count()).toBe(0);
      expect(await playing?.getAttribute("src")).toBeNull();
    },
  },
  {
    name: "a page of another site reads an image by its link: the bytes with fetch, the pixels on a canvas",
    visitor: { role: "developer" },
    async run(visit) {
      const { files } = await clientOf(visit).run(model, { prompt: "a heron" });
      await using site = await startSite();
      const page = await visit.context.newPage();
      await page.goto(site.url);
      const [link, size] = [files[0]?.url ?? "", files[0]?.sizeBytes];
      const seen = await page.evaluate(async (url) => {
        const bytes = await (await fetch(url)).arrayBuffer();
        const image = new Image();
        image.crossOrigin = "anonymous";
        image.src = url;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext("2d");
        context?.drawImage(image, 0, 0);
        // Throws where a site may show the image and not read it.
        const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return { bytes: bytes.byteLength, isPainted: Array.from(pixels).some((part) => part > 0) };
      }, link);
      expect(seen).toEqual({ bytes: size, isPainted: true });
      await page.close();
      await visit.open("/gallery");
    },
  },
  {
    name: "the lightbox is named by the URL, arrows lead on, and Escape and back return to the tile",
    visitor: { role: "viewer" },
    async run(visit) {
      const { page, t, open, press, check } = visit;
      const [newest, older] = await makeImages(visit, ["a lake", "a forest"]);
      await open("/gallery");
      await press(tileOf(visit, newest));
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("img").waitFor();
      await expect.poll(() => openOf(visit)).toBe(newest);
      await check("lightbox");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => openOf(visit)).toBe(older);
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => openOf(visit)).toBe(newest);
      await expect
        .poll(() => dialog.getByRole("button", { name: t("gallery:remove.short") }).count())
        .toBe(0);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => openOf(visit)).toBeNull();
      await page.waitForFunction(
        (id) => document.activeElement?.getAttribute("data-task") === id,
        newest,
      );
      await press(tileOf(visit, older));
      await dialog.waitFor();
      await page.goBack();
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => new URL(page.url()).pathname).toBe("/console/gallery");
      await page.goForward();
      await page.reload();
      await dialog.getByRole("img").waitFor();
    },
  },
  {
    name: "filters are in the URL: a colleague who opens it sees the same tasks, and no task is an answer",
    visitor: { role: "viewer" },
    async run(visit) {
      const { page, t, open, choose, type, press, check } = visit;
      const [fox] = await makeImages(visit, ["an owl", "a fox"]);
      const failing = { model, inputs: { prompt: "[sandbox:fail] a fox" } };
      const { taskId: failed } = await clientOf(visit).tasks.create(failing);
      await clientOf(visit).tasks.wait(failed);
      await open("/gallery");
      await choose(page.getByLabel(t("gallery:filters.status")), "FAILED");
      await tileOf(visit, fox).waitFor({ state: "detached" });
      await tileOf(visit, failed).waitFor();
      await page.reload();
      await tileOf(visit, failed).waitFor();
      await expect.poll(() => page.locator("[data-task]").count()).toBe(1);
      await choose(page.getByLabel(t("gallery:filters.status")), "COMPLETED");
      await type(page.getByLabel(t("gallery:filters.prompt")), "FOX");
      await page.waitForURL(/prompt=FOX/);
      await tileOf(visit, fox).waitFor();
      await expect.poll(() => page.locator("[data-task]").count()).toBe(1);
      await choose(page.getByLabel(t("gallery:filters.kind")), "upscale");
      await page.getByText(t("gallery:empty.filtered")).waitFor();
      await check("no task matches");
      await press(page.getByRole("main").getByText(t("gallery:filters.reset")).last());
      await tileOf(visit, failed).waitFor();
    },
  },
  {
    name: "media of chosen tasks is downloaded file by file, and deleted after the effect was said; record and charge stay",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, t, open, press, check } = visit;
      const [second, first] = await makeImages(visit, ["a tulip", "a rose"]);
      const client = clientOf(visit);
      await open("/gallery");
      for (const id of [second, first])
        await press(page.getByRole("checkbox", { name: new RegExp(id?.slice(-6) ?? "") }));
      await page.getByText(t("gallery:bulk.selected", { count: 2 })).waitFor();
      await press(page.getByRole("button", { name: t("gallery:bulk.download") }));
      const dialog = page.getByRole("dialog");
      await check("question before a download");
      const saved: string[] = [];
      page.on("download", (download) => saved.push(download.suggestedFilename()));
      await press(dialog.getByRole("button", { name: t("gallery:bulk.download") }));
      await expect.poll(() => saved.length, { timeout: 60_000 }).toBe(2);
      await press(dialog.getByRole("button", { name: t("close") }).last());
      await press(page.getByRole("button", { name: t("gallery:bulk.delete") }));
      await dialog.getByText(t("gallery:remove.stays")).waitFor();
      await check("effect of deleting");
      await press(dialog.getByRole("button", { name: t("gallery:remove.action", { count: 2 }) }));
      await dialog.getByText(t("gallery:bulk.progress", { done: 2, count: 2 })).waitFor();
      await press(dialog.getByRole("button", { name: t("close") }).last());
      await tileOf(visit, first).getByText(t("gallery:mediaGone")).waitFor();
      const { output, creditsUsed } = await client.tasks.get(first ?? "");
      expect((await fetch(output?.[0]?.url ?? "")).status).toBe(404);
      expect(creditsUsed).toBeGreaterThan(0);
      await page.reload();
      await tileOf(visit, first).getByText(t("gallery:mediaGone")).waitFor();
    },
  },
  {
    name: "a task's page shows output, its labels, inputs, price and timeline with three requests, and its callback can be sent again",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, watch, t, open, press, check } = visit;
      await using receiver = await startReceiver();
      const client = clientOf(visit);
      const inputs = { prompt: "a kite over a beach", aspectRatio: "16:9" as const };
      const request = { model, inputs, callBackUrl: receiver.hookUrl };
      const { taskId } = await client.tasks.create(request);
      const { creditsUsed } = await client.tasks.wait(taskId);
      await receiver.arrived(1);
      await open("/gallery");
      await watch.settle();
      await press(tileOf(visit, taskId));
      const before = watch.requests.length;
      await press(page.getByRole("link", { name: t("gallery:details") }));
      await page.getByText("a kite over a beach").waitFor();
      await page.getByText(t("gallery:timeline.work.finished")).waitFor();
      await page.getByText(t("gallery:task.labels.aigc")).waitFor();
      await watch.settle();
      expect(watch.requests.length - before).toBeLessThanOrEqual(3);
      const price = page.getByRole("table", { name: t("gallery:price.items") });
      await expect
        .poll(() => price.getByRole("cell").last().textContent())
        .toBe(String(creditsUsed));
      await press(page.getByRole("button", { name: t("gallery:callbacks.refresh") }));
      await page.getByText(t("gallery:callbacks.delivered")).waitFor();
      await check("task");
      await press(page.getByRole("button", { name: t("gallery:callbacks.again") }));
      await receiver.arrived(2);
      const second = page.getByText(t("gallery:callbacks.attempt", { number: 2 }));
      await expect
        .poll(
          async () => {
            await press(page.getByRole("button", { name: t("gallery:callbacks.refresh") }));
            return second.count();
          },
          { timeout: 60_000 },
        )
        .toBe(1);
    },
  },
  {
    name: "a task is followed on its page to its failure: the sentence, the code, that it cost nothing, and the next step",
    visitor: { role: "developer" },
    async run(visit) {
      const { page, t, open, press, check } = visit;
      const client = clientOf(visit);
      const prompt = "[sandbox:slow=5] [sandbox:fail] a storm";
      const { taskId } = await client.tasks.create({ model: "sd2", inputs: { prompt } });
      const ended = Promise.withResolvers<void>();
      await page.route("**/api/v1/events*", async (route) => {
        await ended.promise; // the end falls between reading the task and the stream
        await route.continue();
      });
      await open(`/tasks/${taskId}`);
      await page.getByText(t("gallery:timeline.work.accepted")).first().waitFor();
      await client.tasks.wait(taskId);
      ended.resolve();
      const alert = page.getByRole("alert");
      await alert.getByText(t("gallery:failure.free")).waitFor();
      const { errorCode } = await client.tasks.get(taskId);
      await alert.getByText(errorCode ?? "").waitFor();
      const ends = page.getByRole("listitem").filter({
        hasText: `${t("gallery:timeline.work.finished")}: ${t("gallery:timeline.outcome.FAILED")}`,
      });
      await ends.waitFor();
      await check("failed task");
      await press(alert.getByRole("link", { name: t("gallery:task.again") }));
      await page.waitForURL(/\/playground\?/);
      await expect.poll(() => new URL(page.url()).searchParams.get("again")).toBe(taskId);
      await open(`/tasks/${taskId.replace(/^./, "1")}`);
      await page.getByText(t("gallery:task.missing")).waitFor();
      await check("no such task");
    },
  },
];
