import type { JSONValue, SharedV4Warning } from "@ai-sdk/provider";
import { unwrapWebhook, WebhookError } from "@zoetrope/sdk";
import type { Connection } from "./settings.ts";

interface Callback {
  headers: Record<string, string>;
  body: JSONValue;
}

type Factory = () => PromiseLike<{ url: string; received: PromiseLike<Callback> }>;

/** The warnings about invalid callbacks, by the address that received them. */
export type Verdicts = Map<string, SharedV4Warning>;

const verdictsMax = 1_000;

/**
 * A callback is only news of an end: the state is always read from the service. One that is not signed
 * by the service therefore ends no waiting for good; it becomes a warning of the result.
 */
export async function watchWebhook(
  { connect, verdicts }: { connect(): Connection; verdicts: Verdicts },
  webhook: Factory,
): Promise<{ webhookUrl: string; received: Promise<Callback> }> {
  const { webhookSecret } = connect().settings;
  const { url, received } = await webhook();
  const checked = Promise.resolve(received).then(async (callback) => {
    const message = webhookSecret === undefined ? null : await findFault(callback, webhookSecret);
    if (message !== null) {
      const [oldest] = verdicts.keys();
      if (verdicts.size >= verdictsMax && oldest !== undefined) verdicts.delete(oldest);
      verdicts.set(url, { type: "other", message });
    }
    return callback;
  });
  return { webhookUrl: url, received: checked };
}

async function findFault({ headers, body }: Callback, secret: string): Promise<string | null> {
  const raw = typeof body === "string" ? body : JSON.stringify(body); // as the service wrote it
  try {
    await unwrapWebhook(raw, new Headers(headers), secret);
    return null;
  } catch (error) {
    const reason = error instanceof WebhookError ? error.message : "webhookSecret is not a secret.";
    return `A callback was not accepted, and the state was polled instead: ${reason}`;
  }
}
