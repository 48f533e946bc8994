import type { Caller } from "../accounts/queries.ts";
import { readStorageUrl } from "../assets/address.ts";
import { type AssetRow, findAssetAt } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import { findHold } from "../credits/ledger.ts";
import { ApiError, type OpenTasks, type Text } from "../errors.ts";
import { textOfUrlFault } from "../media/fetch/url-fault-texts.ts";
import type { OutputRef } from "../models/output-ref.ts";
import { type Price, priceOfLines } from "../models/prices.ts";
import type { UpscaleResolution } from "../models/request.ts";
import {
  faultOfSource,
  type SourceLength,
  upscaleLine,
  upscalerModel,
} from "../models/upscaler.ts";
import type { PricesContext } from "../prices/context.ts";
import { upscalerPriced } from "../prices/document.ts";
import {
  findPricing,
  type PricedAt,
  type Pricing,
  priceChanged,
  requireRates,
} from "../prices/find-pricing.ts";
import { requireModelOn } from "../switches/require-model-on.ts";
import { type Acceptance, acceptAtPrice, acceptTask } from "../tasks/accept-task.ts";
import { factsOfOutput, findOutput, readOutputNames } from "../tasks/find-outputs.ts";
import { findAccepted, fingerprintOf, type Idempotency } from "../tasks/idempotency.ts";
import { readCallbackUrl } from "../webhooks/callback-url.ts";
import type { CreateUpscaleAnswer, CreateUpscaleBody, UpscaleRequest } from "./schema.ts";
import { faultOfAsset } from "./source-asset.ts";
import { faultOfSourceUrl } from "./source-url.ts";
import { requireTestAllowance } from "./test-mode.ts";
import { upscalerAccount } from "./validate-source.ts";

interface Plan {
  request: UpscaleRequest;
  /** `null` until it is measured. The task counts frames that are not known, and raises the hold if there are many. */
  length: SourceLength | null;
  pricing: Pricing;
  price: Price;
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
  ctx: PricesContext,
  caller: Caller,
  body: CreateUpscaleBody,
  idempotencyKey: string | null,
): Promise<Created> {
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprintOf(body) };
  return acceptAtPrice(ctx, caller, (priced, at) => createAt(ctx, priced, body, idempotency, at));
}

async function createAt(
  ctx: PricesContext,
  caller: Caller,
  body: CreateUpscaleBody,
  idempotency: Idempotency | null,
  at: Date | null,
): Promise<Created> {
  let plan: Plan;
  try {
    plan = await planUpscale(ctx, caller, body, at);
    if (caller.isTest) await requireTestAllowance(ctx, caller.id);
  } catch (refusal) {
    if (refusal instanceof ApiError && refusal.code === "model_not_allowed") throw refusal;
    // A repeated request gets its first response again, even if it would be refused by now.
    const taskId = idempotency && (await findAccepted(ctx.db, caller.id, idempotency));
    if (!taskId) throw refusal;
    return answer(ctx, { taskId, replayed: true, openTasks: null });
  }
  const accepted = await acceptTask(ctx, caller, {
    kind: "upscale",
    model: upscalerModel,
    request: plan.request,
    pricing: plan.pricing,
    price: plan.price,
    creditsMax: body.maxCredits ?? null,
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
    throw new ApiError("INSUFFICIENT_CREDITS", { message: error.text });
  throw error;
}

/** Checks what can be known without a fetch. Writes nothing. */
export async function planUpscale(
  ctx: PricesContext,
  caller: Caller,
  body: CreateUpscaleBody,
  at: PricedAt["at"],
): Promise<Plan> {
  if (caller.models !== null && !caller.models.includes(upscalerModel))
    throw new ApiError("model_not_allowed", {
      message: {
        en: `This API key is limited to the models ${caller.models.join(", ")}.`,
        zh: `此 API 密钥只能使用模型 ${caller.models.join("、")}。`,
      },
    });
  requireModelOn(ctx.switches, upscalerModel);
  const { targetResolution: target, maxCredits } = body;
  const limit = maxCredits == null ? {} : { maxCredits };
  const callbackUrl = body.callBackUrl ? readCallbackUrl(ctx, body.callBackUrl) : null;
  const { source, length } = await planSource(ctx, caller, body);
  const { pricing, isOutdated } = await findPricing(ctx, caller, { ...body, at });
  const line = upscaleLine(target, length, requireRates(pricing, upscalerPriced));
  const price = priceOfLines(upscalerModel, [line], pricing.discount);
  if (isOutdated) throw priceChanged(price.credits, pricing);
  return { request: { target, source, ...limit }, length, pricing, price, callbackUrl };
}

type PlannedSource = Pick<Plan, "length"> & Pick<UpscaleRequest, "source">;

/** Plans the source: a stored file is checked by its known facts; a URL is fetched and measured later. */
async function planSource(
  ctx: Context,
  caller: Caller,
  { source, targetResolution: target }: CreateUpscaleBody,
): Promise<PlannedSource> {
  switch (source.type) {
    case "task": {
      const ref = { task: source.taskId, index: source.index ?? 0 };
      return planOutput(ctx, caller, ref, target, "source.taskId");
    }
    case "uploadId": {
      const asset = await findAssetOf(ctx, caller, source.storageUrl);
      if (asset !== undefined) return planAsset(asset, target, "source.storageUrl");
      const rule = {
        en: "source.storageUrl: must be the storageUrl of one of your assets",
        zh: "source.storageUrl：必须是您的某个素材的 storageUrl",
      };
      throw refused("INVALID_URL", "source.storageUrl", rule);
    }
    case "url": {
      const asset = await findAssetOf(ctx, caller, source.url);
      if (asset !== undefined) return planAsset(asset, target, "source.url");
      const [output = null] = await readOutputNames(ctx, [source.url]);
      if (output !== null) return planOutput(ctx, caller, output, target, "source.url");
      const fault = faultOfSourceUrl(source.url, ctx.config.fetch.allowLoopback);
      if (fault !== null) {
        const { en, zh } = textOfUrlFault(fault);
        const message = { en: `source.url: ${en}`, zh: `source.url：${zh}` };
        throw refused("INVALID_URL", "source.url", message);
      }
      const url = new URL(source.url).href; // normalized, so that it can be stored
      return { source: { url }, length: null };
    }
  }
}

/** The output of another account is like one that does not exist. */
async function planOutput(
  { db }: Context,
  caller: Caller,
  ref: OutputRef | "gone",
  target: UpscaleResolution,
  param: string,
): Promise<PlannedSource> {
  const media = ref === "gone" ? undefined : await findOutput(db, caller.id, ref);
  if (ref === "gone" || media === undefined)
    throw refused("INVALID_URL", param, {
      en: `${param}: there is no such output`,
      zh: `${param}：没有此输出`,
    });
  const fault = faultOfSource(factsOfOutput(media), target);
  if (fault !== null) throw refused(fault.code, param, fault.message);
  return { source: ref, length: lengthOf(media.durationMs, media.frames ?? null) };
}

function planAsset(asset: AssetRow, target: UpscaleResolution, param: string): PlannedSource {
  const fault = faultOfAsset(asset, target);
  if (fault !== null) throw refused(fault.code, param, fault.message);
  const { storage_key: key, upstream_asset_id: name, duration_ms: durationMs, frames } = asset;
  return {
    source: key === null ? { asset: name } : { key },
    length: lengthOf(durationMs, frames),
  };
}

function lengthOf(durationMs: number | null, frames: number | null): SourceLength | null {
  return durationMs === null ? null : { durationMs, frames };
}

/** An asset of another account is like one that does not exist. Its review does not matter. */
async function findAssetOf(ctx: Context, caller: Caller, storageUrl: string) {
  const at = readStorageUrl(ctx.config.links.publicUrl, storageUrl);
  return at === null ? undefined : await findAssetAt(ctx.db, caller.id, at);
}

function refused(
  code: ConstructorParameters<typeof ApiError>[0],
  param: string,
  message: string | Text,
) {
  return new ApiError(code, { param, message });
}
