import assert from "node:assert";
import { z } from "zod";
import {
  imageRateKey,
  partsOfRateKey,
  type Rates,
  rateOf,
  upscaleRateKey,
  videoRateKey,
} from "./rates.ts";
import type { ImageRequest, ModelRequest, VideoRequest } from "./request.ts";

/** The items of a quote. `credits` of all items add up to the price exactly. */
export const priceItems = z.array(
  z.object({
    item: z.enum(["output", "inputVideo", "upscale", "image", "discount"]),
    description: z.string(),
    unit: z.enum(["second", "image", "task"]),
    quantity: z.number(),
    creditsPerUnit: z.int(),
    credits: z.int().meta({ description: "Negative for a discount." }),
  }),
);

type PriceItem = z.output<typeof priceItems>[number];

/**
 * One thing that is priced. Stored with the task: it stays what it was when the task was accepted,
 * whatever is published later.
 */
export interface PriceLine {
  item: "output" | "inputVideo" | "upscale" | "image";
  /** The rate key. */
  key: string;
  /** Numerator and denominator: video input is counted in thirds of a second. */
  quantity: readonly [number, number];
  /** Credits per unit. */
  rate: number;
}

export interface Price {
  credits: number;
  items: PriceItem[];
  lines: PriceLine[];
}

/** The whole, in the unit of discounts: hundredths of a per cent. */
export const discountUnits = 10_000;

/** Returns the price of a request. Pure and exact: integers only, rounded up once. */
export function priceOf(
  model: { name: string },
  request: ModelRequest,
  rates: Rates,
  discount = 0,
): Price {
  assert(request.model === model.name, `a request for ${request.model}, not for ${model.name}`);
  const lines = request.kind === "video" ? videoLines(request, rates) : [imageLine(request, rates)];
  return priceOfLines(model.name, lines, discount);
}

/** Returns the price of lines, which is that of the request that they were made for. */
export function priceOfLines(model: string, lines: readonly PriceLine[], discount: number): Price {
  const items = lines.map((line) => itemOf(model, line));
  const list = items.reduce((sum, item) => sum + item.credits, 0);
  const credits = discounted(list, discount);
  if (credits !== list) items.push(discountItem(discount, credits - list));
  return { credits, items, lines: [...lines] };
}

/** A discount applies once, to the sum, and nothing is free by it. */
function discounted(list: number, discount: number): number {
  assert(Number.isInteger(discount) && discount >= 0 && discount < discountUnits);
  const parts = BigInt(list) * BigInt(discountUnits - discount);
  const whole = BigInt(discountUnits);
  return Math.max(1, Number((parts + whole - 1n) / whole));
}

function discountItem(discount: number, credits: number): PriceItem {
  const description = `discount of ${discount / 100} %`;
  const item = { item: "discount" as const, description, unit: "task" as const };
  return { ...item, quantity: 1, creditsPerUnit: credits, credits };
}

function itemOf(model: string, { item, key, quantity: [count, of], rate }: PriceLine): PriceItem {
  return {
    item,
    description: descriptionOf(model, item, key),
    unit: item === "image" ? "image" : "second",
    quantity: count / of,
    creditsPerUnit: rate,
    credits: Math.ceil((rate * count) / of), // exact: an integer over 3 is never a hair above one
  };
}

function descriptionOf(model: string, item: PriceLine["item"], key: string): string {
  const parts = partsOfRateKey(key);
  if (parts.kind === "upscale") return `upscale to ${parts.target}`;
  switch (item) {
    case "inputVideo":
      return "reference videos";
    case "upscale":
      return `upscale to ${parts.resolution}`;
    default:
      return [model, parts.resolution, parts.quality].filter((part) => part !== null).join(" ");
  }
}

function videoLines(request: VideoRequest, rates: Rates): PriceLine[] {
  const { model, outputResolution, upscaleResolution, durationSeconds } = request;
  const inputSeconds = request.videoSeconds;
  assert(
    inputSeconds.length === request.videos.length,
    "a price needs the duration of every video",
  );
  const key = videoRateKey(outputResolution, inputSeconds.length > 0);
  const rate = rateOf(rates, key, model);
  const lines: PriceLine[] = [{ item: "output", key, quantity: [durationSeconds, 1], rate }];
  if (inputSeconds.length > 0) {
    // Each counts at least two thirds of the output: counted in thirds, nothing is lost.
    const thirds = inputSeconds.reduce(
      (sum, seconds) => sum + Math.max(3 * seconds, 2 * durationSeconds),
      0,
    );
    lines.push({ item: "inputVideo", key, quantity: [thirds, 3], rate });
  }
  if (upscaleResolution !== null) {
    const added = upscaleRateKey(upscaleResolution);
    const quantity = [durationSeconds, 1] as const;
    lines.push({ item: "upscale", key: added, quantity, rate: rateOf(rates, added, model) });
  }
  return lines;
}

function imageLine({ model, resolution, quality }: ImageRequest, rates: Rates): PriceLine {
  const key = imageRateKey(resolution, quality);
  return { item: "image", key, quantity: [1, 1], rate: rateOf(rates, key, model) };
}
