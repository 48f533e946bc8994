import { expect, test } from "vitest";
import { main, other } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";
import { sendTest } from "../src/webhooks.ts";

const notFound = { status: 404, code: "delivery_not_found" };

test.for(["01998b6e-2c00-7000-8000-000000000001", "none", "'; --"])(
  "an unknown delivery is a 404: %s",
  async (deliveryId) => {
    expectRefusal(await main.readDelivery(deliveryId), notFound);
  },
);

test("another account's delivery is answered like one that does not exist", async () => {
  const deliveryId = await sendTest(main, "https://example.com/");
  const missing = await other.readDelivery("01998b6e-2c00-7000-8000-000000000001");
  const answer = await other.readDelivery(deliveryId);
  expectRefusal(answer, notFound);
  expect(answer.body["message"]).toBe(missing.body["message"]);
});
