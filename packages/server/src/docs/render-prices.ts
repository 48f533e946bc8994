import { imagePrices, type Prices, secondPrices, upscalePrices } from "../models/prices.ts";
import { upscalerLimits, upscalerPrices } from "../models/upscaler.ts";
import { renderTable } from "./markdown.ts";

/** The price tables for readers. */
export function renderPrices(): string {
  const both = ({ A, B }: Prices) => [String(A), String(B)];
  const seconds = Object.entries(secondPrices).flatMap(([model, resolutions]) =>
    Object.entries(resolutions).map(([resolution, { plain, withVideo }]) => [
      `\`${model}\``,
      resolution,
      ...both(plain),
      ...(withVideo === undefined ? ["-", "-"] : both(withVideo)),
    ]),
  );
  const upscale = Object.entries(upscalePrices).map(([to, prices]) => [to, ...both(prices)]);
  const upscaler = Object.entries(upscalerPrices).map(([to, prices]) => [to, ...both(prices)]);
  const images = Object.entries(imagePrices).map(([resolution, { medium, high }]) => [
    resolution,
    ...both(medium),
    ...both(high),
  ]);
  return `# Prices

In credits, under schedule A or B: a deployment has one of them, and an account can have the other.

## Videos: credits per second

${renderTable(
  ["model", "outputResolution", "A", "B", "A with video input", "B with video input"],
  seconds,
)}
\`upscaleResolution\` adds, per second of output:

${renderTable(["upscaleResolution", "A", "B"], upscale)}
**The formula.** Without reference videos: rate × seconds of output, plus the upscale's rate × seconds of output. With reference videos the rate with video input applies to the output and to the reference videos: each of them counts its length rounded up to whole seconds, but at least two thirds of the output. It is computed exactly and the sum is rounded up once. \`POST /api/v1/jobs/quote\` does it for you.

## Images: credits per image

\`image-plus-2\` costs what \`image-pro-2\` costs in \`medium\`.

${renderTable(["resolution", "A medium", "B medium", "A high", "B high"], images)}
## The upscaler: credits per second of the source

${renderTable(["targetResolution", "A", "B"], upscaler)}
Seconds are measured and rounded up to whole ones, and at least ${upscalerLimits.secondsBilledMin} are billed. These are the prices of \`upscale/create\`; the \`upscaleResolution\` of a video has its own, above.
`;
}
