import { randomBytes } from "node:crypto";

const secretBytes = 24;

/** As the Standard Webhooks write it: the key in base64 behind its prefix. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}
