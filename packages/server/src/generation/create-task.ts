import type { Account } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { faultOfUrl } from "../media/public-address.ts";
import { planRequest } from "../models/plan-request.ts";
import { priceOf } from "../models/prices.ts";
import { acceptTask } from "../tasks/accept-task.ts";
import type { Idempotency } from "../tasks/idempotency.ts";
import type { CreateTaskBody } from "./schema.ts";

/** createTask: checks and prices the request, then has it accepted. */
export async function createTask(
  ctx: Context,
  account: Account,
  body: CreateTaskBody,
  idempotency: Idempotency | null,
): Promise<{ taskId: string; replayed: boolean }> {
  const request = planRequest(body.model, body.inputs); // pure; throws invalid_parameters
  const callbackUrl = body.callBackUrl == null ? null : readCallbackUrl(ctx, body.callBackUrl);
  const priceSchedule = account.priceSchedule ?? ctx.config.PRICE_SCHEDULE;
  return acceptTask(ctx, account, {
    kind: "generation",
    model: request.model,
    request,
    priceSchedule,
    credits: priceOf(request, priceSchedule), // pure
    callbackUrl,
    vendorAccount: "ark",
    ageMaxMs: ctx.config.VIDEO_AGE_MAX_MS,
    idempotency,
  });
}

/** Checks only what can be seen without DNS: the delivery checks again, with the addresses. */
function readCallbackUrl(ctx: Context, text: string): string {
  const policy = { allowLoopback: ctx.config.ALLOW_LOOPBACK };
  const fault = faultOfUrl(text, ["https:", "http:"], policy);
  if (fault !== null) throw invalid("callBackUrl", fault);
  return new URL(text).href; // in its normal form: nothing left that cannot be stored or sent
}
