import type { Caller } from "../accounts/queries.ts";
import { storageUrlOf } from "../assets/address.ts";
import { findAssetAt } from "../assets/queries.ts";
import { ApiError } from "../errors.ts";
import type { ModelsContext } from "../generation/context.ts";
import { parseId, type TaskId } from "../ids.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import { inputsOf, isPurged } from "../models/inputs-of.ts";
import { priceOf } from "../models/prices.ts";
import type { ModelRequest } from "../models/request.ts";
import { upscaleItem, upscalerPrices } from "../models/upscaler.ts";
import { findTask } from "../tasks/queries.ts";
import type { TaskRow } from "../tasks/task-row.ts";
import type { UpscaleRequest } from "../upscale/schema.ts";
import type { RequestAnswer } from "./request-schema.ts";

type Known = Pick<RequestAnswer, "inputs" | "inputsMissing">;
const known = (inputs: NonNullable<Known["inputs"]>): Known => ({ inputs, inputsMissing: null });
const missing = (why: NonNullable<Known["inputsMissing"]>): Known => ({
  inputs: null,
  inputsMissing: why,
});

/** Returns the request that created a task of either kind, as far as it is stored. */
export async function readRequest(
  ctx: ModelsContext,
  caller: Caller,
  id: string,
): Promise<RequestAnswer> {
  const taskId = parseId<TaskId>(id);
  const task = taskId && (await findTask(ctx.db, taskId));
  if (task === undefined) throw new ApiError("task_not_found");
  if (task.account_id !== caller.id) throw new ApiError("access_denied");
  const { kind, model } = task;
  const isUpscale = kind === "upscale";
  const request = task.request as Partial<ModelRequest> & Partial<UpscaleRequest>; // only ever written by accepting
  return {
    taskId: task.id,
    kind,
    model,
    ...(isUpscale ? await sourceOf(ctx, caller, request) : generationOf(ctx, model, request)),
    callBackUrl: task.callback_url,
    maxCredits: request.maxCredits ?? null,
    items: isUpscale ? upscaleItems(task, request) : generationItems(ctx, task, request),
    createdAt: task.created_at.getTime(),
  };
}

function generationOf(
  { models }: ModelsContext,
  name: string,
  request: Partial<ModelRequest>,
): Known {
  if (isPurged(request)) return missing("purged");
  const model = models.find((one) => one.name === name);
  const inputs = model === undefined ? null : inputsOf(model, request as ModelRequest);
  return inputs === null ? missing("model_removed") : known(inputs);
}

/** The source as upscale/create takes it: an asset by the URL of its copy. */
async function sourceOf(
  { db, config }: ModelsContext,
  caller: Caller,
  { source, target: targetResolution }: Partial<UpscaleRequest>,
): Promise<Known> {
  if (source == null) return missing("purged");
  const { publicUrl } = config.links;
  if (source.url !== undefined)
    return known({ source: { type: "url", url: source.url }, targetResolution });
  if (source.task !== undefined) {
    const { task: taskId, index } = source;
    return known({ source: { type: "task", taskId, index }, targetResolution });
  }
  const stored = (storageUrl: string) =>
    known({ source: { type: "uploadId", storageUrl }, targetResolution });
  if (source.key !== undefined) return stored(mediaUrl(publicUrl, source.key));
  const name = { by: "upstream_asset_id" as const, value: source.asset };
  const asset = await findAssetAt(db, caller.id, name);
  return asset === undefined
    ? missing("asset_deleted")
    : stored(storageUrlOf(publicUrl, asset.address));
}

/** Prices may have changed since: items that do not add up to the price are not shown. */
function generationItems(
  { models }: ModelsContext,
  task: TaskRow,
  request: Partial<ModelRequest>,
): RequestAnswer["items"] {
  const model = models.find(({ name }) => name === task.model);
  if (model === undefined || request.kind === undefined) return null;
  const priced = request as ModelRequest;
  if (priced.kind === "video" && priced.videos.length !== priced.videoSeconds.length) return null;
  const { items } = priceOf(model, priced, task.price_schedule);
  const isUpscaled = task.output === null || task.output[0]?.source !== undefined;
  const charged = items.filter(({ item }) => isUpscaled || item !== "upscale");
  const sum = charged.reduce((credits, item) => credits + item.credits, 0);
  return sum === task.credits ? charged : null;
}

/**
 * Returns the items of an upscale's price: whole seconds, which are measured only once the source is
 * stored.
 */
function upscaleItems(
  { credits, price_schedule }: TaskRow,
  { target }: Partial<UpscaleRequest>,
): RequestAnswer["items"] {
  if (target === undefined) return null;
  const seconds = credits / upscalerPrices[target][price_schedule];
  return Number.isInteger(seconds) ? [upscaleItem(target, seconds, price_schedule)] : null;
}
