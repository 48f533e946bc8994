import { WebhookError } from "./errors.ts";
import { requireKnown } from "./known-options.ts";
import type { Asset, GenerationTask, UpscaleTask } from "./types.ts";

const ageSecondsMax = 300;

type HeadersLike = Headers | Readonly<Record<string, string | string[] | undefined>>;

interface Signed {
  id: string;
  timestamp: number;
  body: string;
  secret: string;
}

interface EventOf<Type extends string, Data> {
  type: Type;
  /** ISO 8601. */
  timestamp: string;
  data: Data;
}

/** An event that an endpoint receives. A `callBackUrl` receives the task itself. */
export type WebhookEvent =
  | EventOf<"generation.completed" | "generation.failed", GenerationTask>
  | EventOf<"upscale.completed" | "upscale.failed", UpscaleTask>
  | EventOf<"asset.reviewed", Pick<Asset, "assetId" | "upstreamAssetId" | "status" | "failReason">>
  | EventOf<"credits.low", { credits: number; availableCredits: number; creditsLow: number }>
  | EventOf<
      "key.budget_low",
      {
        keyId: string;
        name: string;
        hint: string;
        percent: number;
        creditsMax: number;
        creditsLeft: number;
      }
    >;

/**
 * The event of a callback, once it is proven to be the service's and at most five minutes old. `body`
 * is the raw text: do not parse it before.
 */
export async function unwrapWebhook<Event = WebhookEvent>(
  body: string,
  headers: HeadersLike,
  secret: string,
): Promise<Event> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = Number(headerOf(headers, "webhook-timestamp"));
  const age = Math.abs(Date.now() / 1000 - timestamp);
  if (!(age <= ageSecondsMax)) throw new WebhookError("The callback is too old, or its time is.");
  const expected = await signatureOf({ id, timestamp, body, secret });
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  if (!signatures.some((one) => isEqual(one, expected)))
    throw new WebhookError("The signature is wrong. Compare the secret, and verify the raw body.");
  return JSON.parse(body) as Event;
}

/** The headers that the service would send, for tests of a receiver. */
export async function signWebhook(
  body: string,
  secret: string,
  options: { id?: string; timestamp?: number } = {},
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  requireKnown(options, { id: true, timestamp: true });
  const { id = `msg_${crypto.randomUUID()}`, timestamp = Math.floor(Date.now() / 1000) } = options;
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signatureOf({ id, timestamp, body, secret }),
  };
}

async function signatureOf({ id, timestamp, body, secret }: Signed): Promise<string> {
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/** Compares two texts in a time that does not reveal where they differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function headerOf(headers: HeadersLike, name: string): string {
  const signatures = headers instanceof Headers ? headers.get(name) : headers[name];
  const value = Array.isArray(signatures) ? signatures[0] : signatures;
  if (value == null) throw new WebhookError(`The header ${name} is missing.`);
  return value;
}
