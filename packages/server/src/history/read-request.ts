import type { Caller } from "../accounts/queries.ts";
import { storageUrlOf } from "../assets/address.ts";
import { findAssetAt } from "../assets/queries.ts";
import { ApiError } from "../errors.ts";
import type { ModelsContext } from "../generation/context.ts";
import { parseId, type TaskId } from "../ids.ts";
import { mediaUrl } from "../media/storage/media-url.ts";
import { inputsOf, isPurged } from "../models/inputs-of.ts";
import { type PriceLine, priceOfLines } from "../models/prices.ts";
import type { ModelRequest } from "../models/request.ts";
import { upscalerPriced } from "../prices/document.ts";
import { firstLinesOf, firstRatesOf } from "../prices/first-lines.ts";
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
    items: await itemsOf(ctx, task, request),
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

/** What the task was charged for. Items that do not add up to the price are not shown. */
async function itemsOf(
  ctx: ModelsContext,
  task: TaskRow,
  request: Partial<ModelRequest> & Partial<UpscaleRequest>,
): Promise<RequestAnswer["items"]> {
  const stored = task.price_lines as PriceLine[] | null; // only ever written by accepting
  const lines = stored ?? (await linesOfFormer(ctx, task, request));
  if (lines === null) return null;
  const { credits, items } = priceOfLines(task.model, lines, task.discount ?? 0);
  return credits === task.credits ? items : null;
}

/** The lines of a task of the release before, as far as they can be told from its request and its price. */
async function linesOfFormer(
  ctx: ModelsContext,
  { kind, model: name, price_schedule: book, credits, output }: TaskRow,
  request: Partial<ModelRequest> & Partial<UpscaleRequest>,
): Promise<PriceLine[] | null> {
  if (kind === "upscale") {
    const rates = await firstRatesOf(ctx, book, upscalerPriced);
    const rate = request.target === undefined ? undefined : rates?.[request.target];
    if (request.target === undefined || rate === undefined || credits % rate !== 0) return null;
    return [{ item: "upscale", key: request.target, quantity: [credits / rate, 1], rate }];
  }
  const isKnown = ctx.models.some((model) => model.name === name) && request.kind !== undefined;
  if (!isKnown) return null;
  const whole = request as ModelRequest;
  if (whole.kind === "video" && whole.videos.length !== whole.videoSeconds.length) return null;
  const lines = await firstLinesOf(ctx, whole, book);
  const isUpscaled = output === null || output[0]?.source !== undefined;
  return lines.filter(({ item }) => isUpscaled || item !== "upscale");
}
