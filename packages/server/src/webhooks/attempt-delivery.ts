import { Webhook } from "standardwebhooks";
import type { Context } from "../context.ts";
import { FetchRefused, readAtMost } from "../media/safe-fetch.ts";
import { type AttemptResult, type DueDelivery, recordAttempt } from "./queries.ts";

/** The wait before each attempt, counted from the failure before it. */
const attemptDelaysMs = [0, 1_000, 5_000, 30_000] as const;
export const attemptsMax = attemptDelaysMs.length;
export const attemptMsMax = 15_000;
const answerBytesMax = 64 * 1024;

/** Makes one attempt, signed, and records it. Anything but a 2xx is a failure. */
export async function attemptDelivery(ctx: Context, due: DueDelivery): Promise<void> {
  const result = await postOnce(ctx, due);
  const isDelivered = result.reason === null;
  const againMs = attemptDelaysMs[due.number];
  const then = isDelivered ? "delivered" : againMs === undefined ? "given up" : { againMs };
  await recordAttempt(ctx.db, due, result, then);
  ctx.log.info({
    event: "delivery.attempted",
    deliveryId: due.deliveryId,
    accountId: due.accountId,
    number: due.number,
    ...result,
  });
}

async function postOnce(ctx: Context, due: DueDelivery): Promise<AttemptResult> {
  const startedAt = Date.now();
  const ended = (status: number | null, reason: string | null): AttemptResult => ({
    status,
    reason,
    durationMs: Date.now() - startedAt,
  });
  const messageId = `msg_${due.deliveryId}`;
  const sentAt = new Date();
  const signature = new Webhook(due.secret).sign(messageId, sentAt, due.body);
  try {
    const response = await ctx.safeFetch(due.url, {
      method: "POST",
      protocols: ["https:", "http:"],
      headers: {
        "content-type": "application/json",
        "user-agent": "Zoetrope",
        "webhook-id": messageId,
        "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "webhook-signature": signature,
      },
      body: due.body,
      totalMsMax: attemptMsMax,
    });
    await readAtMost(response.body, answerBytesMax);
    const { status } = response;
    if (status >= 200 && status < 300) return ended(status, null);
    const isRedirect = status >= 300 && status < 400;
    return ended(status, isRedirect ? "redirect refused" : `answered ${status}`);
  } catch (error) {
    return ended(null, reasonOf(error));
  }
}

/** In plain words, and without anything the URL might carry. */
function reasonOf(error: unknown): string {
  if (error instanceof FetchRefused) return error.message;
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError") return `timed out after ${attemptMsMax / 1000} s`;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return `connection failed: ${code}`;
}
