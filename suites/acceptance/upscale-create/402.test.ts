import { expect, test } from "vitest";
import { poor } from "../src/client.ts";
import { expectInvalid, expectRefusal } from "../src/expect-refusal.ts";
import { nowhere } from "../src/upscale.ts";

const dear = { source: nowhere, targetResolution: "4k" };

test("§7 an upscale of at least 35 credits on an account with 29 is INSUFFICIENT_CREDITS, and nothing is held", async () => {
  const before = await poor.idle();
  expect(before).toEqual({ credits: 29, availableCredits: 29 });
  const refusal = { status: 402, code: "INSUFFICIENT_CREDITS" };
  expectRefusal(await poor.createUpscale(dear), refusal);
  expect(await poor.balance()).toEqual(before);
});

test("§7 400 comes before 402: a wrong body on an account without enough credits is a 400", async () => {
  const answer = await poor.createUpscale({ ...dear, callBackUrl: 7 });
  expectInvalid(answer, "callBackUrl");
});
