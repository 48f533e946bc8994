import { randomUUID } from "node:crypto";
import { serve } from "@zoetrope/testkit/serve.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { main, other, scheduleB, settings } from "../src/client.ts";
import { nowhere, taskIdIn } from "../src/upscale.ts";

const body = { source: nowhere, targetResolution: "1080p" };

test("§4.7 the answer has a taskId, an orderId and the status validating", async () => {
  const answer = await main.createUpscale(body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({
    taskId: expect.stringMatching(/./),
    orderId: expect.stringMatching(/./),
    status: "validating",
  });
});

describe.runIf(settings.callsLoopback)("while the source has not come", () => {
  let silence: Awaited<ReturnType<typeof serve>>;
  const bodyOf = (targetResolution: string) => ({
    source: { type: "url", url: silence.url },
    targetResolution,
  });
  beforeAll(async () => {
    await other.idle(); // what other tests created gives back its credits now, not between two balances
    await scheduleB.idle();
    silence = await serve(() => {});
  });
  afterAll(async () => {
    await silence[Symbol.asyncDispose]();
    await other.idle(); // its tasks have failed: nobody listens any more
    await scheduleB.idle();
  });

  test("§2.3 an upscale is validating, has every field, and no end yet", async () => {
    const taskId = taskIdIn(await other.createUpscale(bodyOf("1080p")));
    expect(await other.upscale(taskId)).toEqual({
      taskId,
      status: "validating",
      targetResolution: "1080p",
      progress: 0,
      creditsConsumed: null,
      result: null,
      error: null,
      finishedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    });
  });

  for (const [client, schedule, targetResolution, credits] of [
    [other, "A", "2k", 25],
    [other, "A", "4k", 35],
    [scheduleB, "B", "1080p", 125],
    [scheduleB, "B", "2k", 190],
  ] as const)
    test(`§8 clips under 5 s are billed as 5 s: for ${targetResolution} under schedule ${schedule} at least ${credits} credits are held`, async () => {
      const before = await client.balance();
      taskIdIn(await client.createUpscale(bodyOf(targetResolution)));
      expect(await client.balance()).toEqual({
        credits: before.credits,
        availableCredits: before.availableCredits - credits,
      });
    });
});

test("§4.7 callBackUrl may be null, which is like leaving it out", async () => {
  const answer = await main.createUpscale({ ...body, callBackUrl: null });
  expect(answer.status, answer.text).toBe(200);
});

test("Idempotency-Key: the same key and body get the same task and order, marked as replayed", async () => {
  const key = { "idempotency-key": randomUUID() };
  const first = await main.createUpscale(body, key);
  const second = await main.createUpscale(body, key);
  expect(second.status, second.text).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});

test("every upscale/create makes a task of its own, also with the same body", async () => {
  const [first, second] = await Promise.all([main.createUpscale(body), main.createUpscale(body)]);
  expect(first.body["taskId"]).not.toBe(second.body["taskId"]);
  expect(first.body["orderId"]).not.toBe(second.body["orderId"]);
});
