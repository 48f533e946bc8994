import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { openVisit, type Variant } from "../harness/visit.ts";
import { watchPage } from "../harness/watch-page.ts";

const plain: Variant = { language: "en", scheme: "light", isKeyboard: false };
const waitedMs = 60_000;

/** Tests that waiting pages are notified by the stream. */
export function waitingTests(bed: () => Bed): void {
  test("while something is waited for, no page makes more than one request in a minute", async () => {
    const visitor = { role: "owner", staffRole: "operator" } as const;
    const { account, context } = await openVisit(bed(), visitor, plain);
    const client = new Zoetrope({ baseUrl: bed().origin, apiKey: account.key });
    const { taskId } = await client.tasks.create({
      model: "sd2",
      inputs: { prompt: "a glacier [sandbox:slow=300]" },
    });
    const running = `[data-task="${taskId}"]`;
    /** Pages, and what they show when all of them is there. */
    const pages = {
      [`/tasks/${taskId}`]: "main ol > li",
      "/gallery": running,
      "/assets": "h1",
      "/usage": "h1",
      [`/playground?again=${taskId}`]: "button[type=submit]:not(:disabled)",
      "/webhooks?tab=events": "[role=tabpanel]",
      "/webhooks?tab=deliveries": "[role=tabpanel]",
      "/review": "h1",
      "/operations": "main section",
    };
    const minutes = Object.entries(pages).map(async ([path, content]) => {
      const page = await context.newPage();
      const watch = watchPage(page, bed().origin);
      await page.goto(`${bed().origin}/console${path}`);
      await page.locator(content).first().waitFor();
      await watch.settle();
      const before = watch.requests.length;
      const begun = await page.evaluate(() => performance.now());
      await page.waitForFunction((end) => performance.now() > end, begun + waitedMs);
      return { path, requests: watch.requests.slice(before) };
    });
    const made = await Promise.all(minutes);
    await context.close();
    expect(made.filter(({ requests }) => requests.length > 1)).toEqual([]);
  });
}
