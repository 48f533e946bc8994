import { waitUntil } from "@zoetrope/dev/services/wait-until.ts";
import { expect, test } from "vitest";
import type { Event } from "../../src/generated.ts";
import type { Zoetrope } from "../../src/zoetrope.ts";
import type { Bed } from "../bed.ts";

const refused = {
  model: "image-plus-2" as const,
  inputs: { prompt: "a fox [sandbox:refuse=input_blocked]" },
};
const limit = { timeoutMs: 120_000 };

/** Follows events into a list until the returned function is called. */
function follow(client: Zoetrope, after: number | null) {
  const reported: Event[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  let opened = 0;
  const onOpen = () => {
    opened += 1;
  };
  const running = (async () => {
    for await (const event of client.events(after, { signal, onOpen })) reported.push(event);
  })().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  const end = () => {
    controller.abort();
    return running;
  };
  return { told: reported, end, isOpen: () => opened > 0 };
}

async function finish(client: Zoetrope, count: number): Promise<string[]> {
  const taskIds: string[] = [];
  for (let n = 0; n < count; n++) {
    const { taskId } = await client.tasks.create(refused);
    await client.tasks.wait(taskId);
    taskIds.push(taskId);
  }
  return taskIds;
}

export function eventTests(bed: () => Bed): void {
  test("events come as they happen, in order and once, over cut connections and a killed server", async () => {
    const { proxy, stack } = bed();
    const client = await bed().openClient();
    const first = await finish(client, 1);
    const all = follow(client, 0);
    await waitUntil("the first", () => all.told.length === 1, limit);
    const fresh = follow(client, null);
    await waitUntil("both are open", () => all.isOpen() && fresh.isOpen(), limit);
    const second = await finish(client, 1);
    await waitUntil("both have it", () => all.told.length === 2 && fresh.told.length === 1, limit);
    proxy.cut();
    const third = await finish(client, 1);
    await waitUntil("again", () => all.told.length === 3 && fresh.told.length === 2, limit);
    proxy.spoil = ({ path, headers }) =>
      path.startsWith("/api/v1/events") && headers["accept"] === "text/event-stream"
        ? { status: 429, body: { code: "too_many_streams" } }
        : undefined;
    proxy.cut();
    const fourth = await finish(client, 2);
    await waitUntil("by pages", () => all.told.length === 5 && fresh.told.length === 4, limit);
    proxy.spoil = null;
    const another = await stack.startServer({ role: "api", name: "api-events" });
    proxy.target = another.url;
    proxy.cut();
    const fifth = await finish(client, 1);
    await waitUntil("elsewhere", () => all.told.length === 6 && fresh.told.length === 5, limit);
    proxy.target = stack.apiUrl;
    await another.kill();
    const sixth = await finish(client, 1);
    await waitUntil("back", () => all.told.length === 7 && fresh.told.length === 6, limit);
    await Promise.all([all.end(), fresh.end()]);
    const taskIds = [...first, ...second, ...third, ...fourth, ...fifth, ...sixth];
    expect(all.told.map(({ taskId }) => taskId)).toEqual(taskIds);
    expect(fresh.told.map(({ taskId }) => taskId)).toEqual(taskIds.slice(1));
    const listed: Event[] = [];
    for await (const event of client.events(all.told[0]?.number, { follow: false }))
      listed.push(event);
    expect(listed).toEqual(all.told.slice(1));
  });

  test("with steps, a task is told on its way too", async () => {
    const client = await bed().openClient();
    const controller = new AbortController();
    const types: string[] = [];
    const inputs = { prompt: "a heron [sandbox:fail]" };
    const { taskId } = await client.tasks.create({ model: "sd2", inputs });
    for await (const event of client.events(0, { signal: controller.signal, steps: true })) {
      expect(event.taskId).toBe(taskId);
      types.push(event.type);
      if (event.number !== null) break;
    }
    expect(types.at(-1)).toBe("generation.failed");
    expect(types.length).toBeGreaterThan(1);
  });
}
