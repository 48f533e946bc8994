import { test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { sendTest } from "../src/webhooks.ts";

const notFound = { status: 404, code: "delivery_not_found" };

test.for(["01998b6e-2c00-7000-8000-000000000001", "none"])(
  "an unknown delivery is not delivered again: %s",
  async (deliveryId) => {
    expectRefusal(await main.deliverAgain({ deliveryId }), notFound);
  },
);

test("another account's delivery is answered like one that does not exist", async () => {
  const deliveryId = await sendTest(main, "https://example.com/");
  expectRefusal(await other.deliverAgain({ deliveryId }), notFound);
});
