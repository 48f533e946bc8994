import type { Caller } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import type { ModelRequest } from "../models/request.ts";
import { type Acceptance, acceptAtPrice, acceptTask } from "../tasks/accept-task.ts";
import { findAccepted, fingerprintOf, type Idempotency } from "../tasks/idempotency.ts";
import { requireTestAllowance } from "../upscale/test-mode.ts";
import type { ModelsContext } from "./context.ts";
import { ageMaxMsOf } from "./list-models.ts";
import { planTask, type TaskPlan } from "./plan-task.ts";
import type { CreateTaskBody } from "./schema.ts";

/** createTask: checks and prices the request, then has it accepted. */
export async function createTask(
  ctx: ModelsContext,
  caller: Caller,
  body: CreateTaskBody,
  idempotencyKey: string | null,
): Promise<Acceptance> {
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprintOf(body) };
  return acceptAtPrice(ctx, caller, (priced, at) => createAt(ctx, priced, body, idempotency, at));
}

async function createAt(
  ctx: ModelsContext,
  caller: Caller,
  body: CreateTaskBody,
  idempotency: Idempotency | null,
  at: Date | null,
): Promise<Acceptance> {
  let plan: TaskPlan;
  try {
    plan = await planTask(ctx, caller, body, at);
    if (caller.isTest && isUpscaled(plan.request)) await requireTestAllowance(ctx, caller.id);
  } catch (refusal) {
    if (refusal instanceof ApiError && refusal.code === "model_not_allowed") throw refusal;
    // A repeated request gets its first response again, even if it would be refused by now.
    const taskId = idempotency && (await findAccepted(ctx.db, caller.id, idempotency));
    if (!taskId) throw refusal;
    return { taskId, replayed: true, openTasks: null };
  }
  const { request, pricing, price, callbackUrl } = plan;
  return acceptTask(ctx, caller, {
    kind: "generation",
    model: request.model,
    request,
    pricing,
    price,
    creditsMax: body.maxCredits ?? null,
    callbackUrl,
    vendorAccount: "none", // chosen when it is submitted
    ageMaxMs: ageMaxMsOf(ctx, request),
    idempotency,
  });
}

function isUpscaled(request: ModelRequest): boolean {
  return request.kind === "video" && request.upscaleResolution !== null;
}
