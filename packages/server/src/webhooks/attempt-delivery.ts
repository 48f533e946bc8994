import type { Readable } from "node:stream";
import { SpanKind } from "@opentelemetry/api";
import { Webhook } from "standardwebhooks";
import { readStoredSecret } from "../accounts/webhook-secret.ts";
import type { AttemptResult } from "../batches/record-attempts.ts";
import type { Context } from "../context.ts";
import { type DeliveryId, secondsSince } from "../ids.ts";
import { MissingKeyError } from "../secrets/key-ring.ts";
import { inSpan, noteOnSpan, taskIdAttribute } from "../tracing/in-span.ts";
import { continueTrace, traceHeaders } from "../tracing/trace-context.ts";
import { callbackProtocols } from "./callback-url.ts";
import { readEndpointSecret } from "./endpoints/endpoint-secret.ts";
import { type DueDelivery, recordAttempt } from "./queries.ts";
import { reasonOf } from "./reason.ts";
import { attemptMsUsual, delayAfter } from "./schedule.ts";

/** The maximum part of a response body that is read, only to reuse the connection. */
const bodyMax = { bytes: 64 * 1024, ms: 1_000 };

/** Makes one attempt, signed, and records it. Anything but a 2xx is a failure. Returns how it ended. */
export function attemptDelivery(ctx: Context, due: DueDelivery): Promise<AttemptResult> {
  const { taskId, number, traceparent } = due;
  const attributes = {
    [taskIdAttribute]: taskId ?? undefined,
    "zoetrope.attempt": number,
  };
  const options = { kind: SpanKind.CLIENT, attributes };
  return continueTrace(traceparent, () =>
    inSpan("deliver callback", options, () => attempt(ctx, due)),
  );
}

async function attempt(ctx: Context, due: DueDelivery): Promise<AttemptResult> {
  const result = await postOnce(ctx, due);
  noteOnSpan({ "http.response.status_code": result.status ?? 0 }, result.reason);
  const delayMs = delayAfter(due.attemptInRound, due.tail);
  const againMs = delayMs === null ? null : delayMs / ctx.config.webhooks.speed;
  const isDelivered = result.reason === null;
  const then = isDelivered ? "delivered" : againMs === null ? "given up" : { againMs };
  await recordAttempt(ctx.pool, due, result, then);
  const outcome = isDelivered ? "delivered" : againMs === null ? "given_up" : "retried";
  ctx.metrics.deliveryAttempts.add({ outcome });
  if (due.number === 1 && due.taskId !== null)
    ctx.metrics.taskCallbackSeconds.record(secondsSince(due.taskId), {});
  ctx.log.info({
    event: "delivery.attempted",
    deliveryId: due.deliveryId,
    accountId: due.accountId,
    number: due.number,
    ...result,
  });
  return result;
}

/**
 * The webhook-id of an event: the same in every attempt and at every endpoint, so that receivers can
 * deduplicate. The event of a callback has the id of its delivery.
 */
export function messageIdOf(eventId: DeliveryId): string {
  return `msg_${eventId}`;
}

async function postOnce(ctx: Context, due: DueDelivery): Promise<AttemptResult> {
  const startedAt = performance.now();
  const ended = (status: number | null, reason: string | null): AttemptResult => ({
    status,
    reason,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const messageId = messageIdOf(due.eventId);
  const signature = signatureOf(ctx, due, messageId);
  if (signature === null)
    return ended(
      null,
      `the callback could not be signed: the webhook secret of the ${due.endpointId === null ? "account" : "endpoint"} is damaged`,
    );
  try {
    const response = await ctx.safeFetch(due.url, {
      method: "POST",
      protocols: callbackProtocols(ctx.config),
      headers: {
        "content-type": "application/json",
        "user-agent": "Zoetrope",
        "webhook-id": messageId,
        "webhook-timestamp": String(Math.floor(due.startedAt.getTime() / 1000)),
        "webhook-signature": signature,
        ...traceHeaders(),
      },
      body: due.body,
      totalMsMax: attemptMsUsual / ctx.config.webhooks.speed,
    });
    discard(response.body);
    const { status } = response;
    if (status >= 200 && status < 300) return ended(status, null);
    const isRedirect = status >= 300 && status < 400;
    return ended(status, isRedirect ? "redirect refused" : `answered ${status}`);
  } catch (error) {
    return ended(null, reasonOf(error));
  }
}

/** Returns the signature, or null if a secret is damaged. If this process lacks a key, the delivery waits. */
function signatureOf({ keyRing }: Context, due: DueDelivery, messageId: string): string | null {
  const read = (stored: string) =>
    due.endpointId === null
      ? readStoredSecret(keyRing, stored, due.accountId)
      : readEndpointSecret(keyRing, stored, due.endpointId);
  try {
    return due.secrets
      .map(read)
      .map((secret) => new Webhook(secret).sign(messageId, due.startedAt, due.body))
      .join(" ");
  } catch (error) {
    if (error instanceof MissingKeyError) throw error;
    return null;
  }
}

/** The status has decided. A long or slow body is cut off by closing the connection. */
function discard(body: Readable): void {
  let left = bodyMax.bytes;
  const timer = setTimeout(() => body.destroy(), bodyMax.ms);
  body
    .on("error", () => {})
    .on("close", () => clearTimeout(timer))
    .on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) body.destroy();
    });
}
