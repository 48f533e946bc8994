import type { Caller } from "../accounts/queries.ts";
import { readStorageUrl } from "../assets/address.ts";
import { findAssetAt } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import { findHold } from "../credits/ledger.ts";
import { ApiError, type OpenTasks } from "../errors.ts";
import { priceOfUpscale, upscalerModel } from "../models/upscaler.ts";
import type { SwitchesContext } from "../switches/context.ts";
import { requireModelOn } from "../switches/require-model-on.ts";
import { type Acceptance, acceptTask } from "../tasks/accept-task.ts";
import { findAccepted, fingerprintOf } from "../tasks/idempotency.ts";
import { readCallbackUrl } from "../webhooks/callback-url.ts";
import type { CreateUpscaleAnswer, CreateUpscaleBody, UpscaleRequest } from "./schema.ts";
import { faultOfAsset } from "./source-asset.ts";
import { faultOfSourceUrl } from "./source-url.ts";
import { upscalerAccount } from "./validate-source.ts";

interface Plan {
  request: UpscaleRequest;
  /** `null` until it is measured. */
  durationMs: number | null;
  callbackUrl: string | null;
}

interface Created extends CreateUpscaleAnswer {
  replayed: boolean;
  openTasks: OpenTasks | null;
}

/**
 * upscale/create: checks what can be known without a fetch, holds at least the minimum price, and
 * accepts.
 */
export async function createUpscale(
  ctx: SwitchesContext,
  caller: Caller,
  body: CreateUpscaleBody,
  idempotencyKey: string | null,
): Promise<Created> {
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprintOf(body) };
  let plan: Plan;
  try {
    plan = await planUpscale(ctx, caller, body);
  } catch (refusal) {
    // A repeated request gets its first response again, even if it would be refused by now.
    const taskId = idempotency && (await findAccepted(ctx.db, caller.id, idempotency));
    if (!taskId) throw refusal;
    return answer(ctx, { taskId, replayed: true, openTasks: null });
  }
  const priceSchedule = caller.priceSchedule ?? ctx.config.tasks.priceSchedule;
  const accepted = await acceptTask(ctx, caller, {
    kind: "upscale",
    model: upscalerModel,
    request: plan.request,
    priceSchedule,
    credits: priceOfUpscale(plan.request.target, plan.durationMs, priceSchedule),
    creditsMax: null,
    callbackUrl: plan.callbackUrl,
    vendorAccount: upscalerAccount,
    ageMaxMs: ctx.config.tasks.upscaleAgeMaxMs,
    idempotency,
  }).catch(inOwnCode);
  return answer(ctx, accepted);
}

async function answer(ctx: Context, accepted: Acceptance): Promise<Created> {
  const orderId = await findHold(ctx.db, accepted.taskId);
  return { ...accepted, orderId, status: "validating" };
}

/** The upscaler's own spelling of this code. */
function inOwnCode(error: unknown): never {
  if (error instanceof ApiError && error.code === "insufficient_credits")
    throw new ApiError("INSUFFICIENT_CREDITS", { message: error.message });
  throw error;
}

async function planUpscale(
  ctx: SwitchesContext,
  caller: Caller,
  body: CreateUpscaleBody,
): Promise<Plan> {
  if (caller.models !== null && !caller.models.includes(upscalerModel))
    throw new ApiError("model_not_allowed", {
      message: `This API key is limited to the models ${caller.models.join(", ")}.`,
    });
  requireModelOn(ctx.switches, upscalerModel);
  const { source, targetResolution: target } = body;
  const callbackUrl = body.callBackUrl == null ? null : readCallbackUrl(ctx, body.callBackUrl);
  if (source.type === "url") {
    const fault = faultOfSourceUrl(source.url, ctx.config.fetch.allowLoopback);
    if (fault !== null) throw refused("INVALID_URL", "source.url", `source.url: ${fault}`);
    const url = new URL(source.url).href; // normalized, so that it can be stored
    return { request: { target, source: { url } }, durationMs: null, callbackUrl };
  }
  const asset = await findOwnSource(ctx, caller, source.storageUrl);
  const fault = faultOfAsset(asset, target);
  if (fault !== null) throw refused(fault.code, "source.storageUrl", fault.message);
  const { storage_key: key, upstream_asset_id: name, duration_ms: durationMs } = asset;
  return {
    request: { target, source: key === null ? { asset: name } : { key } },
    durationMs,
    callbackUrl,
  };
}

/** An asset of another account is like one that does not exist. Its review does not matter. */
async function findOwnSource(ctx: Context, caller: Caller, storageUrl: string) {
  const at = readStorageUrl(ctx.config.links.publicUrl, storageUrl);
  const asset = at === null ? undefined : await findAssetAt(ctx.db, caller.id, at);
  if (asset === undefined)
    throw refused(
      "INVALID_URL",
      "source.storageUrl",
      "source.storageUrl: must be the storageUrl of one of your assets",
    );
  return asset;
}

function refused(code: ConstructorParameters<typeof ApiError>[0], param: string, message: string) {
  return new ApiError(code, { param, message });
}
