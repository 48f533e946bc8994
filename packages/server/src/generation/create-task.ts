import type { Account } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import type { ModelRequest } from "../models/request.ts";
import { acceptTask } from "../tasks/accept-task.ts";
import { fingerprintOf } from "../tasks/idempotency.ts";
import { ageMaxMsOf } from "./list-models.ts";
import { planTask } from "./plan-task.ts";
import type { CreateTaskBody } from "./schema.ts";

const vendorAccountOf: Readonly<Record<ModelRequest["model"], string>> = {
  sd2: "ark",
  "sd2-fast": "ark",
  happyhorse: "dashscope",
  "image-pro-2": "openai",
  "image-plus-2": "gemini",
};

/** createTask: checks and prices the request, then has it accepted. */
export async function createTask(
  ctx: Context,
  account: Account,
  body: CreateTaskBody,
  idempotencyKey: string | null,
): Promise<{ taskId: string; replayed: boolean }> {
  const { request, priceSchedule, price, callbackUrl } = await planTask(ctx, account, body);
  return acceptTask(ctx, account, {
    kind: "generation",
    model: request.model,
    request,
    priceSchedule,
    credits: price.credits,
    creditsMax: body.maxCredits ?? null,
    callbackUrl,
    vendorAccount: vendorAccountOf[request.model],
    ageMaxMs: ageMaxMsOf(ctx, { kind: "durationSeconds" in request ? "video" : "image" }),
    // The body has passed the rules by now: it is no deeper than they allow.
    idempotency:
      idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprintOf(body) },
  });
}
