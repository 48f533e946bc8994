import { expect, test } from "vitest";
import { other, settings } from "../src/client.ts";
import { anyVideo, modes, openPrompt } from "../src/examples.ts";

test("§4.3 credits answers two whole numbers", async () => {
  const answer = await other.readCredits();
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    credits: expect.any(Number),
    availableCredits: expect.any(Number),
  });
  for (const name of ["credits", "availableCredits"])
    expect(Number.isSafeInteger(answer.body[name]), name).toBe(true);
});

test("§2.4 a task holds its price while it runs and is charged exactly that when it completes", async () => {
  const { credits } = await other.idle();
  const taskId = await other.create(anyVideo.model, anyVideo.inputs);
  const during = { credits, availableCredits: credits - anyVideo.creditsA };
  expect(await other.balance()).toEqual(during);
  const { end } = await other.follow(taskId);
  expect(end).toMatchObject({ status: "COMPLETED", creditsUsed: anyVideo.creditsA });
  expect(await other.balance()).toEqual({
    credits: credits - anyVideo.creditsA,
    availableCredits: credits - anyVideo.creditsA,
  });
});

test.runIf(settings.hasSandbox)(
  "§1 failed tasks refund their credits automatically: once a task is FAILED its hold is gone",
  async () => {
    const before = await other.idle();
    const { credits } = before;
    const taskId = await other.create("sd2", { prompt: openPrompt, duration: "15s" });
    expect(await other.balance()).toEqual({ credits, availableCredits: credits - 90 });
    const { end } = await other.follow(taskId);
    expect(end).toMatchObject({ status: "FAILED", creditsUsed: 0 });
    expect(await other.balance()).toEqual(before);
  },
);

test.runIf(settings.hasSandbox)("§2.4 the holds of several tasks add up", async () => {
  const { credits } = await other.idle();
  const video = { prompt: openPrompt, duration: "4s" };
  await other.create("sd2", video);
  await other.create("sd2-fast", video);
  await other.create("sd2", { ...video, outputResolution: "1080p" });
  const held = 24 + 20 + 60;
  expect(await other.balance()).toEqual({ credits, availableCredits: credits - held });
  expect(await other.idle()).toEqual({ credits, availableCredits: credits });
});

test("a quote of every mode holds nothing", async () => {
  const before = await other.idle();
  for (const { model, inputs } of modes) await other.price(model, inputs);
  expect(await other.balance()).toEqual(before);
});
