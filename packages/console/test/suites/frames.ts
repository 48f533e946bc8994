import { Zoetrope } from "@zoetrope/sdk";
import { expect, test } from "vitest";
import type { Bed } from "../harness/bed.ts";
import { copyTask } from "../harness/many-tasks.ts";
import { openVisit } from "../harness/visit.ts";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread in microseconds: what other programs take does not count. */
  tdur?: number;
  args?: { name?: string };
}

const frameMsMax = 50;
const manyTasks = 10_000;
const screens = 40;

/** Tests frames by processor time, so that a busy machine fails nobody. */
export function frameTests(bed: () => Bed): void {
  test(`scrolling through ${manyTasks} tasks, no frame takes more than ${frameMsMax} ms`, async () => {
    const variant = { language: "en", scheme: "light", isKeyboard: false } as const;
    const { page, watch, account, open, context } = await openVisit(
      ...[bed(), { role: "owner" as const }, variant],
    );
    const client = new Zoetrope({ baseUrl: bed().origin, apiKey: account.key });
    const { taskId } = await client.run("image-plus-2", { prompt: "a river" });
    await copyTask(bed(), taskId, manyTasks);
    await open("/gallery");
    await page.locator("main img").first().waitFor();
    await watch.settle();
    await bed().browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    await page.mouse.move(640, 400);
    for (let screen = 0; screen < screens; screen++) {
      await page.mouse.wheel(0, 700);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await watch.settle();
    const trace = JSON.parse((await bed().browser.stopTracing()).toString());
    await context.close();
    const events = trace.traceEvents as TraceEvent[];
    const mains = events.filter(
      ({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain",
    );
    const isMain = ({ pid, tid }: TraceEvent) =>
      mains.some((main) => main.pid === pid && main.tid === tid);
    const tasks = events.filter(
      (event) => /RunTask$/.test(event.name) && event.tdur !== undefined && isMain(event),
    );
    const longest = Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
    expect(tasks.length).toBeGreaterThan(screens);
    expect(longest).toBeLessThanOrEqual(frameMsMax);
  });
}
