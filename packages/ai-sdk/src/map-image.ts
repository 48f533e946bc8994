import type { ImageModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider";
import { fitRatio, sidesOf } from "./fit-ratio.ts";
import { newer, ratiosOfImageModel } from "./model-traits.ts";

/** The most pixels of each; above the last, the last. */
const resolutions: readonly [name: string, pixelsMax: number][] = [
  ["1k", 1024 * 1024],
  ["2k", 2048 * 2048],
  ["4k", Number.POSITIVE_INFINITY],
];
const sizesAsAsked = new Set(["1024x1024", "2048x2048"]);

export function mapImage(
  modelId: string,
  options: ImageModelV4CallOptions,
  warnings: SharedV4Warning[],
): Record<string, unknown> {
  const { prompt, size, aspectRatio, seed, mask } = options;
  const warn = (feature: string, details: string) =>
    void warnings.push({ type: "unsupported", feature, details: `${modelId} ${details}` });
  const ratios = ratiosOfImageModel(modelId);
  if (seed !== undefined && ratios !== null) warn("seed", "has no seed.");
  if (mask !== undefined) warn("mask", "has no mask: describe in the prompt what changes.");
  if (ratios === null) {
    if (size !== undefined)
      warn("size", `${newer} aspectRatio, or its size in providerOptions.zoetrope.`);
    return { prompt, aspectRatio, seed };
  }
  const wanted = aspectRatio ?? size;
  const fitted = wanted === undefined ? undefined : fitRatio(wanted, ratios);
  if (fitted?.isExact === false) {
    const feature = aspectRatio === undefined ? "size" : "aspectRatio";
    warn(feature, `has ${ratios.join(", ")}: ${wanted} became ${fitted.ratio}.`);
  }
  const resolution = resolutionOf(size);
  if (size !== undefined && resolution !== undefined && !sizesAsAsked.has(size))
    warnings.push({
      type: "compatibility",
      feature: "size",
      details: `${size} became resolution ${resolution}; the size of the image is in providerMetadata.`,
    });
  return { prompt, aspectRatio: fitted?.ratio, resolution };
}

function resolutionOf(size: string | undefined): string | undefined {
  const sides = size === undefined ? undefined : sidesOf(size);
  if (sides === undefined) return undefined;
  const pixels = sides[0] * sides[1];
  return resolutions.find(([, pixelsMax]) => pixels <= pixelsMax)?.[0];
}
