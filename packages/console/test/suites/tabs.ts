import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { openVisit, type Variant } from "../harness/visit.ts";

const plain: Variant = { language: "en", scheme: "light", isKeyboard: false };
/** One more than the connections that a browser opens to a server over HTTP/1.1. */
const tabs = 7;

export function tabTests(bed: () => Bed): void {
  test(`${tabs} tabs share one stream: each is told of every event, also when the tab that followed is closed`, async () => {
    const { account, context, page } = await openVisit(bed(), { role: "viewer" }, plain);
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.headers()["accept"] === "text/event-stream") streams.push(request.url());
    });
    const pages = [page];
    while (pages.length < tabs) pages.push(await context.newPage());
    for (const tab of pages) {
      await tab.goto(`${bed().origin}/console/webhooks?tab=events`);
      await tab.locator("[role=tabpanel]").waitFor();
    }
    const client = new Zoetrope({ baseUrl: bed().origin, apiKey: account.key });
    const told = async (prompt: string) => {
      const { taskId } = await client.run("image-plus-2", { prompt });
      for (const tab of pages) await tab.getByRole("link", { name: taskId }).waitFor();
    };
    await told("a pier");
    expect(streams).toHaveLength(1);
    await pages.shift()?.close();
    await told("a jetty");
    expect(streams).toHaveLength(2);
    await context.close();
  });
}
