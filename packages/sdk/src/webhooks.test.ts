import { expect, test } from "vitest";
import { WebhookError } from "./errors.ts";
import { signWebhook, unwrapWebhook } from "./webhooks.ts";

const secret = "whsec_YW4gZXhhbXBsZSwgbm90IGEgc2VjcmV0";
const body = '{"taskId":"01998b6e-2bff-7000-8000-000000000002","status":"COMPLETED"}';

test("signs as the service does: the example of the documentation", async () => {
  const id = "msg_01998b6e-2c00-7000-8000-000000000001";
  const headers = await signWebhook(body, secret, { id, timestamp: 1_767_225_600 });
  expect(headers["webhook-signature"]).toBe("v1,X86uuV5wfrHjxJmzXaxcHokgxs3CcH646/GwHIfpsGg=");
});

test("a callback that the service signed is read, also while two secrets sign", async () => {
  const headers = await signWebhook(body, secret);
  const event = await unwrapWebhook(body, headers, secret); // a `WebhookEvent` unless told otherwise
  if (event.type === "asset.reviewed") event.data.failReason satisfies string | null;
  expect(event).toEqual(JSON.parse(body));
  const two = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
  expect(await unwrapWebhook(body, new Headers(two), secret)).toEqual(JSON.parse(body));
});

test("another body, another secret, an old or a missing header are refused", async () => {
  const headers = await signWebhook(body, secret);
  const old = await signWebhook(body, secret, { timestamp: Math.floor(Date.now() / 1000) - 301 });
  const { "webhook-id": _id, ...without } = headers;
  for (const [text, given, key] of [
    [`${body} `, headers, secret],
    [body, headers, "whsec_b3RoZXI="],
    [body, old, secret],
    [body, without, secret],
  ] as const)
    await expect(unwrapWebhook(text, given, key)).rejects.toThrow(WebhookError);
});
