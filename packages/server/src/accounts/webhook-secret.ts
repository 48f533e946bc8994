import { randomBytes } from "node:crypto";

const secretBytes = 24;

/** In the format of Standard Webhooks: a prefix and the key in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}
