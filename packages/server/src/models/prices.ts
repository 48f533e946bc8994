import assert from "node:assert";
import type {
  HappyhorseRequest,
  ImageRequest,
  ModelRequest,
  OutputResolution,
  Sd2Request,
  UpscaleResolution,
} from "./request.ts";

export type Schedule = "A" | "B";
export type Prices = Readonly<Record<Schedule, number>>;

/** Credits per second of output, as published; with video input also per second of that. */
export const secondPrices: Readonly<
  Record<
    (Sd2Request | HappyhorseRequest)["model"],
    Partial<Record<OutputResolution, { plain: Prices; withVideo?: Prices }>>
  >
> = {
  sd2: {
    "720p": { plain: { A: 6, B: 40 }, withVideo: { A: 4, B: 30 } },
    "1080p": { plain: { A: 15, B: 100 }, withVideo: { A: 11, B: 75 } },
  },
  "sd2-fast": {
    "720p": { plain: { A: 5, B: 32 }, withVideo: { A: 4, B: 24 } },
  },
  happyhorse: {
    "720p": { plain: { A: 5, B: 32 } },
    "1080p": { plain: { A: 9, B: 60 } },
  },
};

/** Credits per second of output on top, when the video is upscaled. */
export const upscalePrices: Readonly<Record<UpscaleResolution, Prices>> = {
  "1080p": { A: 3, B: 20 },
  "2k": { A: 5, B: 30 },
  "4k": { A: 7, B: 40 },
};

/** Credits per image. `image-plus-2` has no quality to choose and costs what `medium` costs. */
export const imagePrices: Readonly<
  Record<ImageRequest["resolution"], Readonly<Record<"medium" | "high", Prices>>>
> = {
  "1k": { medium: { A: 3, B: 15 }, high: { A: 13, B: 70 } },
  "2k": { medium: { A: 6, B: 35 }, high: { A: 22, B: 125 } },
  "4k": { medium: { A: 11, B: 60 }, high: { A: 40, B: 230 } },
};

export interface Price {
  credits: number;
  items: PriceItem[];
}

/** A line of a quote. `credits` of all items add up to the price exactly. */
interface PriceItem {
  item: "output" | "inputVideo" | "upscale" | "image";
  description: string;
  unit: "second" | "image";
  quantity: number;
  creditsPerUnit: number;
  credits: number;
}

/** What a request costs under a price schedule. Pure and exact: integers only, rounded up once. */
export function priceOf(request: ModelRequest, schedule: Schedule): Price {
  const items =
    "durationSeconds" in request ? videoItems(request, schedule) : [imageItem(request, schedule)];
  return { credits: items.reduce((sum, { credits }) => sum + credits, 0), items };
}

function videoItems(request: Sd2Request | HappyhorseRequest, schedule: Schedule): PriceItem[] {
  const { model, outputResolution, upscaleResolution, durationSeconds } = request;
  const inputSeconds = "videos" in request ? request.videoSeconds : [];
  if ("videos" in request)
    assert(
      inputSeconds.length === request.videos.length,
      "a price needs the length of every video",
    );
  const rates = secondPrices[model][outputResolution];
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

function imageItem(request: ImageRequest, schedule: Schedule): PriceItem {
  const { model, resolution, quality } = request;
  const credits = imagePrices[resolution][quality ?? "medium"][schedule];
  const description = `${model} ${resolution}${quality === null ? "" : ` ${quality}`}`;
  return {
    item: "image",
    description,
    unit: "image",
    quantity: 1,
    creditsPerUnit: credits,
    credits,
  };
}
