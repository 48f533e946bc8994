import { expect, test } from "vitest";
import { clientOf, settings } from "../src/client.ts";
import { expectRefusal } from "../src/expect-refusal.ts";

const reader = clientOf(settings.keys.reader ?? "");

test.runIf(settings.keys.reader !== null)(
  "a key with the scope read reads everything but the webhook secret, and writes nothing",
  async () => {
    for (const path of [
      "account/credits",
      "models",
      "assets/list",
      "webhooks/deliveries",
      "events",
    ])
      expect((await reader.get(`/api/v1/${path}`)).status, path).toBe(200);
    const refused = [
      [await reader.createTask({ model: "sd2", inputs: { prompt: "A boat" } }), "tasks"],
      [await reader.createUpscale({}), "tasks"],
      [await reader.uploadAsset({ url: "https://example.com/a.png", type: "IMAGE" }), "assets"],
      [await reader.sendTestEvent({ url: "https://example.com/" }), "webhooks"],
      [await reader.readWebhookSecret(), "webhooks"],
      [await reader.rotateWebhookSecret({}), "webhooks"],
    ] as const;
    for (const [answer, scope] of refused) {
      expectRefusal(answer, { status: 403, code: "scope_missing" });
      expect(answer.body["message"]).toContain(`'${scope}'`);
    }
  },
);
