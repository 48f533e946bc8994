import type { Task } from "@zoetrope/testkit/api-types.ts";
import { expect, test } from "vitest";
import { main, settings } from "../src/client.ts";
import { freePrompt, longPrompt } from "../src/examples.ts";
import { ask } from "../src/live.ts";

test("Prefer: wait and If-None-Match, one after the other, see a task to its end and no state twice", async () => {
  const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
  const seen: Task[] = [];
  let etag = '"none"';
  while (seen.at(-1)?.completeTime === undefined || seen.at(-1)?.completeTime === null) {
    const answer = await ask(taskId, { prefer: "wait=60", "if-none-match": etag });
    expect(answer.headers.get("preference-applied")).toBe("wait=60");
    if (answer.status === 304) continue;
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).not.toBe(etag);
    etag = answer.headers.get("etag") ?? "";
    seen.push(answer.body as unknown as Task);
  }
  expect(seen.at(-1)).toEqual(await main.task(taskId));
  expect(seen.length).toBeLessThanOrEqual(3);
});

// A real vendor may leave a task as it is for longer than one can wait.
test.runIf(settings.hasSandbox)(
  "Prefer: wait answers at the next change, long before its time is over",
  async () => {
    const taskId = await main.create("sd2", { prompt: longPrompt, duration: "4s" });
    const before = await main.queryTask(taskId);
    const startedAt = performance.now();
    const answer = await ask(taskId, { prefer: "wait=60" });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toEqual(before.body);
    expect(performance.now() - startedAt).toBeLessThan(55_000);
  },
);

test("Prefer: wait on a task that is over is answered at once, and more than a minute is a minute", async () => {
  const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
  const { end } = await main.follow(taskId);
  const startedAt = performance.now();
  const answer = await ask(taskId, { prefer: "wait=86400" });
  expect([answer.status, answer.body]).toEqual([200, end]);
  expect(answer.headers.get("preference-applied")).toBe("wait=60");
  expect(performance.now() - startedAt).toBeLessThan(55_000);
});

for (const prefer of ["wait=soon", "wait=0", "wait=-1", "wait"])
  test(`Prefer: ${prefer} makes no sense and is ignored`, async () => {
    const taskId = await main.create("sd2", { prompt: freePrompt, duration: "4s" });
    const answer = await ask(taskId, { prefer });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, null]);
  });
