import { createHmac, timingSafeEqual } from "node:crypto";
import type { ReceivedRequest } from "../kit/receiver/received-request.ts";

const clockSecondsMax = 60;

/** Returns the fault of a request's signature by the Standard Webhooks rules, or null. */
export function faultOfSignature(request: ReceivedRequest, secret: string): string | null {
  const { webhookId, webhookTimestamp, webhookSignature, body } = request;
  if (webhookId === null || webhookTimestamp === null || webhookSignature === null)
    return "a webhook header is missing";
  const ageSeconds = request.at / 1000 - Number(webhookTimestamp);
  if (!(Math.abs(ageSeconds) < clockSecondsMax))
    return "the webhook-timestamp is not of this minute";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key)
    .update(`${webhookId}.${webhookTimestamp}.${body}`)
    .digest();
  const isSigned = webhookSignature.split(" ").some((signature) => {
    const [version, text = ""] = signature.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : "the signature does not fit";
}
