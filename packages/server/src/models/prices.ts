import assert from "node:assert";
import { z } from "zod";
import type {
  ImageRequest,
  ModelRequest,
  OutputResolution,
  UpscaleResolution,
  VideoRequest,
} from "./request.ts";

export type Schedule = "A" | "B";
export type Prices = Readonly<Record<Schedule, number>>;

/** Credits per second of output, as published; with video input also per second of that. */
export type SecondPrices = Readonly<
  Record<OutputResolution, { plain: Prices; withVideo?: Prices }>
>;

/** Credits per image, as published; `quality` is null where there is no choice. */
export type ImagePrices = readonly {
  resolution: ImageRequest["resolution"];
  quality: string | null;
  image: Prices;
}[];

/** The prices of a model. */
type Priced = { name: string } & (
  | { kind: "video"; prices: SecondPrices }
  | { kind: "image"; prices: ImagePrices }
);

/** Credits per second of output on top, when the video is upscaled. */
export const upscalePrices: Readonly<Record<UpscaleResolution, Prices>> = {
  "1080p": { A: 3, B: 20 },
  "2k": { A: 5, B: 30 },
  "4k": { A: 7, B: 40 },
};

export interface Price {
  credits: number;
  items: PriceItem[];
}

/** The lines of a quote. `credits` of all items add up to the price exactly. */
export const priceItems = z.array(
  z.object({
    item: z.enum(["output", "inputVideo", "upscale", "image"]),
    description: z.string(),
    unit: z.enum(["second", "image"]),
    quantity: z.number(),
    creditsPerUnit: z.int(),
    credits: z.int(),
  }),
);

type PriceItem = z.output<typeof priceItems>[number];

/** Returns the price of a request under a price schedule. Pure and exact: integers only, rounded up once. */
export function priceOf(model: Priced, request: ModelRequest, schedule: Schedule): Price {
  assert(request.model === model.name, `a request for ${request.model}, not for ${model.name}`);
  const items = itemsOf(model, request, schedule);
  return { credits: items.reduce((sum, { credits }) => sum + credits, 0), items };
}

function itemsOf(model: Priced, request: ModelRequest, schedule: Schedule): PriceItem[] {
  if (model.kind === "video" && request.kind === "video")
    return videoItems(model.prices, request, schedule);
  assert(model.kind === "image" && request.kind === "image");
  return [imageItem(model.prices, request, schedule)];
}

function videoItems(prices: SecondPrices, request: VideoRequest, schedule: Schedule): PriceItem[] {
  const { model, outputResolution, upscaleResolution, durationSeconds } = request;
  const inputSeconds = request.videoSeconds;
  assert(
    inputSeconds.length === request.videos.length,
    "a price needs the duration of every video",
  );
  const rates = prices[outputResolution];
  const rate = (inputSeconds.length > 0 ? rates?.withVideo : rates?.plain)?.[schedule];
  assert(rate !== undefined, `${model} has no price for ${outputResolution}`);
  const items = [perSecond("output", `${model} ${outputResolution}`, durationSeconds, rate)];
  if (inputSeconds.length > 0) {
    // Each counts at least two thirds of the output: counted in thirds, nothing is lost.
    const thirds = inputSeconds.reduce(
      (sum, seconds) => sum + Math.max(3 * seconds, 2 * durationSeconds),
      0,
    );
    items.push({
      ...perSecond("inputVideo", "reference videos", thirds / 3, rate),
      credits: Math.ceil((rate * thirds) / 3), // exact: an integer over 3 is never a hair above one
    });
  }
  if (upscaleResolution !== null)
    items.push(
      perSecond(
        "upscale",
        `upscale to ${upscaleResolution}`,
        durationSeconds,
        upscalePrices[upscaleResolution][schedule],
      ),
    );
  return items;
}

function perSecond(
  item: PriceItem["item"],
  description: string,
  quantity: number,
  creditsPerUnit: number,
): PriceItem {
  const credits = quantity * creditsPerUnit;
  return { item, description, unit: "second", quantity, creditsPerUnit, credits };
}

function imageItem(prices: ImagePrices, request: ImageRequest, schedule: Schedule): PriceItem {
  const { model, resolution, quality } = request;
  const row = prices.find((one) => one.resolution === resolution && one.quality === quality);
  const description = `${model} ${resolution}${quality === null ? "" : ` ${quality}`}`;
  assert(row !== undefined, `${description} has no price`);
  const credits = row.image[schedule];
  return {
    item: "image",
    description,
    unit: "image",
    quantity: 1,
    creditsPerUnit: credits,
    credits,
  };
}
