import type { Caller } from "../accounts/queries.ts";
import { findAssets } from "../assets/queries.ts";
import type { Context } from "../context.ts";
import { ApiError, invalid } from "../errors.ts";
import { faultOfUrl } from "../media/fetch/public-address.ts";
import { applyAssets } from "../models/asset-rules.ts";
import { planRequest, requireModel } from "../models/plan-request.ts";
import { type Price, priceOf, type Schedule } from "../models/prices.ts";
import { type ModelRequest, mediaOf } from "../models/request.ts";
import { requireModelOn } from "../switches/require-model-on.ts";
import { readCallbackUrl } from "../webhooks/callback-url.ts";
import type { ModelsContext } from "./context.ts";
import type { CreateTaskBody } from "./schema.ts";

export interface TaskPlan {
  request: ModelRequest;
  priceSchedule: Schedule;
  price: Price;
  callbackUrl: string | null;
}

/** The checks and the price that createTask and quote share, so that a quote is what a task costs. */
export async function planTask(
  ctx: ModelsContext,
  caller: Caller,
  body: CreateTaskBody,
): Promise<TaskPlan> {
  const model = requireModel(ctx.models, body.model);
  const planned = planRequest(model, body.inputs); // pure; throws invalid_parameters
  if (caller.models !== null && !caller.models.includes(model.name))
    throw new ApiError("model_not_allowed", {
      message: `This API key is limited to the models ${caller.models.join(", ")}.`,
    });
  requireModelOn(ctx.switches, model.name);
  checkAddresses(ctx, planned);
  const callbackUrl = body.callBackUrl == null ? null : readCallbackUrl(ctx, body.callBackUrl);
  const assetIds = mediaOf(planned).flatMap(({ ref }) => ref.asset ?? []);
  const request = applyAssets(model, planned, await findAssets(ctx.db, caller.id, assetIds));
  const priceSchedule = caller.priceSchedule ?? ctx.config.tasks.priceSchedule;
  return { request, priceSchedule, price: priceOf(model, request, priceSchedule), callbackUrl };
}

/** Checks without DNS only: a fetch or callback checks again with the resolved addresses. */
function faultOfPublicUrl(ctx: Context, url: string): string | null {
  return faultOfUrl(url, ["https:", "http:"], { allowLoopback: ctx.config.fetch.allowLoopback });
}

function checkAddresses(ctx: Context, request: ModelRequest): void {
  for (const { param, ref } of mediaOf(request)) {
    const fault = ref.url === undefined ? null : faultOfPublicUrl(ctx, ref.url);
    if (fault !== null) throw invalid(param, fault);
  }
}
