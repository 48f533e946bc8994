import { expect, test } from "vitest";
import { main, other, poor, settings } from "../src/client.ts";
import { freePrompt, modes } from "../src/examples.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";

const insufficient = { status: 402, code: "insufficient_credits" };
const aboveMax = { status: 402, code: "price_above_max" };
const thirtyCredits = { model: "sd2", inputs: { prompt: freePrompt, duration: "5s" } };

test("§7 a task of 30 credits on an account with 29 is a 402 and leaves the balance unchanged", async () => {
  const before = await poor.idle();
  expect(before).toEqual({ credits: 29, availableCredits: 29 });
  expectRefusal(await poor.createTask(thirtyCredits), insufficient);
  expect(await poor.balance()).toEqual(before);
});

test("§7 400 comes before 402: a wrong body on an account without enough credits is a 400", async () => {
  const answer = await poor.createTask({
    model: "sd2",
    inputs: { ...thirtyCredits.inputs, seed: -2 },
  });
  expectInvalid(answer, "inputs.seed");
});

test.runIf(settings.hasSandbox)(
  "§7 what an open task holds cannot be spent twice: 24 credits are held, 5 are left, 24 more are a 402",
  async () => {
    await poor.idle();
    const inputs = { prompt: freePrompt, duration: "4s" };
    await poor.create("sd2", inputs);
    expect(await poor.balance()).toEqual({ credits: 29, availableCredits: 5 });
    expectRefusal(await poor.createTask({ model: "sd2", inputs }), insufficient);
    expect(await poor.idle()).toEqual({ credits: 29, availableCredits: 29 });
  },
);

for (const { model, mode, inputs, creditsA } of modes)
  test(`maxCredits: ${model} ${mode} costs ${creditsA}, one credit less is a 402`, async () => {
    const answer = await main.createTask({ model, inputs, maxCredits: creditsA - 1 });
    expectRefusal(answer, aboveMax);
  });

test("maxCredits: a refusal leaves the balance unchanged", async () => {
  const before = await other.idle();
  expectRefusal(await other.createTask({ ...thirtyCredits, maxCredits: 29 }), aboveMax);
  expect(await other.balance()).toEqual(before);
});
