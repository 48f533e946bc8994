import { expect, test } from "vitest";
import { main } from "../src/client.ts";
import { expectInvalid } from "../src/expect-refusal.ts";
import { readSecret } from "../src/webhooks.ts";

test.for([-1, 169, 1.5, "1"])(
  "overlapHours is a whole number from 0 to 168, not %s, and nothing is rotated",
  async (overlapHours) => {
    const before = await readSecret(main);
    expectInvalid(await main.rotateWebhookSecret({ overlapHours }), "overlapHours");
    expect(await readSecret(main)).toEqual(before);
  },
);
