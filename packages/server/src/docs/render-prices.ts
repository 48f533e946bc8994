import type { Model } from "../models/model.ts";
import { type Prices, upscalePrices } from "../models/prices.ts";
import { upscalerLimits, upscalerPrices } from "../models/upscaler.ts";
import { renderTable } from "./markdown.ts";

/** The price tables for readers. */
export function renderPrices(models: readonly Model[]): string {
  const both = ({ A, B }: Prices) => [String(A), String(B)];
  const seconds = models.flatMap((model) =>
    model.kind !== "video"
      ? []
      : Object.entries(model.prices).map(([resolution, { plain, withVideo }]) => [
          `\`${model.name}\``,
          resolution,
          ...both(plain),
          ...(withVideo === undefined ? ["-", "-"] : both(withVideo)),
        ]),
  );
  const upscale = Object.entries(upscalePrices).map(([to, prices]) => [to, ...both(prices)]);
  const upscaler = Object.entries(upscalerPrices).map(([to, prices]) => [to, ...both(prices)]);
  const images = models.flatMap((model) =>
    model.kind !== "image"
      ? []
      : model.prices.map(({ resolution, quality, image }) => [
          `\`${model.name}\``,
          resolution,
          quality ?? "-",
          ...both(image),
        ]),
  );
  return `# Prices

Prices are in credits. A deployment uses schedule A or B; an account can be set to the other one.

## Videos: credits per second

${renderTable(
  ["model", "outputResolution", "A", "B", "A with video input", "B with video input"],
  seconds,
)}
\`upscaleResolution\` adds, per second of output:

${renderTable(["upscaleResolution", "A", "B"], upscale)}
**Formula.** Without reference videos: rate × output seconds, plus upscale rate × output seconds. With reference videos, the rate with video input applies to the output and to the reference videos: each counts its duration rounded up to whole seconds, but at least two thirds of the output duration. The total is computed exactly and rounded up once. \`POST /api/v1/jobs/quote\` returns the price of a request.

## Images: credits per image

${renderTable(["model", "resolution", "quality", "A", "B"], images)}
## Upscaler: credits per second of the source

${renderTable(["targetResolution", "A", "B"], upscaler)}
The measured duration is rounded up to whole seconds, and at least ${upscalerLimits.secondsBilledMin} s are billed. Of a video with more than ${upscalerLimits.framesPerSecondBilled} frames a second, the number of frames divided by ${upscalerLimits.framesPerSecondBilled} counts as its seconds. These prices apply to \`upscale/create\`; \`upscaleResolution\` of a video task has its own prices, above.
`;
}
