import type { Inputs } from "@zoetrope/testkit/api-client.ts";

/** The published prices without video input, as the interface prints them. */
export interface PricePerSecond {
  item: string;
  model: string;
  inputs: Inputs;
  /** The lengths available, in seconds. */
  seconds: readonly [min: number, max: number];
  A: number;
  B: number;
}

const seedanceSeconds = [4, 15] as const;
const happyhorseSeconds = [3, 15] as const;

const videoRow = (
  model: string,
  item: string,
  inputs: Inputs,
  [A, B]: readonly [number, number],
): PricePerSecond => ({
  item: `${model} ${item}`,
  model,
  inputs,
  seconds: model === "happyhorse" ? happyhorseSeconds : seedanceSeconds,
  A,
  B,
});

export const videoPrices: readonly PricePerSecond[] = [
  videoRow("sd2", "720P", {}, [6, 40]),
  videoRow("sd2", "1080P", { outputResolution: "1080p" }, [15, 100]),
  videoRow("sd2", "2K", { upscaleResolution: "2k" }, [6 + 5, 40 + 30]),
  videoRow("sd2", "4K", { upscaleResolution: "4k" }, [6 + 7, 40 + 40]),
  videoRow("sd2-fast", "720P", {}, [5, 32]),
  videoRow("sd2-fast", "1080P", { upscaleResolution: "1080p" }, [5 + 3, 32 + 20]),
  videoRow("sd2-fast", "2K", { upscaleResolution: "2k" }, [5 + 5, 32 + 30]),
  videoRow("sd2-fast", "4K", { upscaleResolution: "4k" }, [5 + 7, 32 + 40]),
  videoRow("happyhorse", "720P", {}, [5, 32]),
  videoRow("happyhorse", "1080P", { outputResolution: "1080p" }, [9, 60]),
  videoRow("happyhorse", "2K", { upscaleResolution: "2k" }, [5 + 5, 32 + 30]),
  videoRow("happyhorse", "4K", { upscaleResolution: "4k" }, [5 + 7, 32 + 40]),
];

/**
 * The prices that the table leaves out and its one formula determines: the base of the output plus
 * the add-on.
 */
export const videoPricesBetween: readonly PricePerSecond[] = [
  videoRow("sd2", "720P upscaled to 1080P", { upscaleResolution: "1080p" }, [6 + 3, 40 + 20]),
  videoRow("sd2", "1080P upscaled to 2K", { outputResolution: "1080p", upscaleResolution: "2k" }, [
    15 + 5,
    100 + 30,
  ]),
  videoRow("sd2", "1080P upscaled to 4K", { outputResolution: "1080p", upscaleResolution: "4k" }, [
    15 + 7,
    100 + 40,
  ]),
  videoRow("happyhorse", "720P upscaled to 1080P", { upscaleResolution: "1080p" }, [
    5 + 3,
    32 + 20,
  ]),
  videoRow(
    "happyhorse",
    "1080P upscaled to 2K",
    { outputResolution: "1080p", upscaleResolution: "2k" },
    [9 + 5, 60 + 30],
  ),
  videoRow(
    "happyhorse",
    "1080P upscaled to 4K",
    { outputResolution: "1080p", upscaleResolution: "4k" },
    [9 + 7, 60 + 40],
  ),
];

export interface PricePerImage {
  item: string;
  model: string;
  inputs: Inputs;
  A: number;
  B: number;
}

const imageRow = (
  model: string,
  inputs: { resolution: string; quality?: string },
  [A, B]: readonly [number, number],
): PricePerImage => ({
  item: [model, inputs.quality, inputs.resolution].filter(Boolean).join(" "),
  model,
  inputs,
  A,
  B,
});

export const imagePrices: readonly PricePerImage[] = [
  imageRow("image-pro-2", { resolution: "1k", quality: "medium" }, [3, 15]),
  imageRow("image-pro-2", { resolution: "2k", quality: "medium" }, [6, 35]),
  imageRow("image-pro-2", { resolution: "4k", quality: "medium" }, [11, 60]),
  imageRow("image-pro-2", { resolution: "1k", quality: "high" }, [13, 70]),
  imageRow("image-pro-2", { resolution: "2k", quality: "high" }, [22, 125]),
  imageRow("image-pro-2", { resolution: "4k", quality: "high" }, [40, 230]),
  imageRow("image-plus-2", { resolution: "1k" }, [3, 15]),
  imageRow("image-plus-2", { resolution: "2k" }, [6, 35]),
  imageRow("image-plus-2", { resolution: "4k" }, [11, 60]),
];
