import type { Caller } from "../accounts/queries.ts";
import { findAssets } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";
import { textOfUrlFault } from "../media/fetch/url-fault-texts.ts";
import { applyFiles, type KnownFiles, noSuchOutput } from "../models/asset-rules.ts";
import { textOfOutput } from "../models/output-ref.ts";
import { planRequest, requireModel } from "../models/plan-request.ts";
import { type Price, priceOf } from "../models/prices.ts";
import { type ModelRequest, mediaOf, outputsOf } from "../models/request.ts";
import {
  findPricing,
  type PricedAt,
  type Pricing,
  priceChanged,
  requireRates,
} from "../prices/find-pricing.ts";
import { requireModelOn } from "../switches/require-model-on.ts";
import { factsOfOutput, findOutputs, readOutputNames } from "../tasks/find-outputs.ts";
import { readCallbackUrl } from "../webhooks/callback-url.ts";
import type { ModelsContext } from "./context.ts";
import type { CreateTaskBody } from "./schema.ts";

export interface TaskPlan {
  request: ModelRequest;
  pricing: Pricing;
  price: Price;
  callbackUrl: string | null;
}

/** The checks and the price that createTask and quote share, so that a quote is what a task costs. */
export async function planTask(
  ctx: ModelsContext,
  caller: Caller,
  body: CreateTaskBody,
  at: PricedAt["at"],
  assetRules: Parameters<typeof applyFiles>[3] = {},
): Promise<TaskPlan> {
  const model = requireModel(ctx.models, body.model);
  const inputs = await withOutputsNamed(ctx, body.inputs);
  const planned = planRequest(model, inputs); // pure; throws invalid_parameters
  if (caller.models !== null && !caller.models.includes(model.name))
    throw new ApiError("model_not_allowed", {
      message: {
        en: `This API key is limited to the models ${caller.models.join(", ")}.`,
        zh: `此 API 密钥只能使用模型 ${caller.models.join("、")}。`,
      },
    });
  requireModelOn(ctx.switches, model.name);
  checkAddresses(ctx, planned);
  const callbackUrl = body.callBackUrl ? readCallbackUrl(ctx, body.callBackUrl) : null;
  const request = applyFiles(model, planned, await findKnown(ctx, caller, planned), assetRules);
  const { pricing, isOutdated } = await findPricing(ctx, caller, { ...body, at });
  const price = priceOf(model, request, requireRates(pricing, model), pricing.discount);
  if (isOutdated) throw priceChanged(price.credits, pricing);
  return { request, pricing, price, callbackUrl };
}

/** The inputs with every link to an output in `urls` as the reference that it is. Other links stay. */
async function withOutputsNamed(ctx: Context, inputs: object): Promise<object> {
  const urls: unknown = "urls" in inputs ? inputs.urls : null;
  if (!Array.isArray(urls)) return inputs;
  const outputs = await readOutputNames(ctx, urls);
  const named = urls.map((url: unknown, index) => {
    const output = outputs[index] ?? null;
    if (output === "gone") throw invalid(`inputs.urls[${index}]`, noSuchOutput);
    return output === null ? url : textOfOutput(output);
  });
  return { ...inputs, urls: named };
}

/** Returns the known facts about the files of a request that are already stored. */
async function findKnown(
  { db }: Context,
  caller: Caller,
  request: ModelRequest,
): Promise<KnownFiles> {
  const refs = mediaOf(request).map(({ ref }) => ref);
  const assetIds = refs.flatMap(({ asset }) => asset ?? []);
  const outputs = await findOutputs(db, caller.id, outputsOf(refs));
  return {
    assets: await findAssets(db, caller.id, assetIds),
    outputs: new Map([...outputs].map(([name, media]) => [name, factsOfOutput(media)])),
  };
}

/** Checks without DNS only: a fetch or callback checks again with the resolved addresses. */
function faultOfPublicUrl(ctx: Context, url: string): string | null {
  return faultOfUrl(url, ["https:", "http:"], { allowLoopback: ctx.config.fetch.allowLoopback });
}

function checkAddresses(ctx: Context, request: ModelRequest): void {
  for (const { param, ref } of mediaOf(request)) {
    const fault = ref.url === undefined ? null : faultOfPublicUrl(ctx, ref.url);
    if (fault !== null) throw invalid(param, textOfUrlFault(fault));
  }
}
