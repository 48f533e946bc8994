import type { Model } from "../models/model.ts";
import { partsOfRateKey, type RateKeyParts } from "../models/rates.ts";
import { upscalerLimits } from "../models/upscaler.ts";
import { type PriceDocument, ratesIn, upscalerPriced } from "../prices/document.ts";
import { renderTable } from "./markdown.ts";

type Priced = Pick<Model, "name" | "rateKeys">;

/** The price tables of the given books for readers. */
export function renderPrices(
  models: readonly Model[],
  books: ReadonlyMap<string, PriceDocument>,
): string {
  const names = [...books.keys()];
  const inBooks = (model: Priced, key: string) =>
    names.map((name) => String(ratesIn(books.get(name) ?? {}, model)?.[key] ?? "-"));
  const rows = (model: Priced, cells: (of: RateKeyParts) => string[] | null) =>
    model.rateKeys.flatMap((key) => {
      const first = cells(partsOfRateKey(key));
      return first === null ? [] : [[...first, ...inBooks(model, key)]];
    });
  const videos = models.filter(({ kind }) => kind === "video");
  const seconds = videos.flatMap((model) =>
    rows(model, (of) =>
      of.kind === "upscale" ? null : [code(model), of.resolution, of.hasVideo ? "yes" : "no"],
    ),
  );
  const upscale = videos.flatMap((model) =>
    rows(model, (of) => (of.kind === "upscale" ? [code(model), of.target] : null)),
  );
  const images = models
    .filter(({ kind }) => kind === "image")
    .flatMap((model) =>
      rows(model, (of) =>
        of.kind === "upscale" ? null : [code(model), of.resolution, of.quality ?? "-"],
      ),
    );
  const upscaler = upscalerPriced.rateKeys.map((key) => [key, ...inBooks(upscalerPriced, key)]);
  return `# Prices

Prices are in credits. These are the price books that the service comes with, ${names.join(" and ")}, in version 1. A deployment can publish other versions and other books, and an account can have its own book and a discount: \`GET /api/v1/models\` lists what the caller's account pays.

## Videos: credits per second

${renderTable(["model", "outputResolution", "video input", ...names], seconds)}
\`upscaleResolution\` adds, per second of output:

${renderTable(["model", "upscaleResolution", ...names], upscale)}
**Formula.** Without reference videos: rate × output seconds, plus upscale rate × output seconds. With reference videos, the rate with video input applies to the output and to the reference videos: each counts its duration rounded up to whole seconds, but at least two thirds of the output duration. The total is computed exactly and rounded up once. A discount is taken off the total, which is then rounded up; a task costs at least 1 credit. \`POST /api/v1/jobs/quote\` returns the price of a request.

## Images: credits per image

${renderTable(["model", "resolution", "quality", ...names], images)}
## Upscaler: credits per second of the source

${renderTable(["targetResolution", ...names], upscaler)}
The measured duration is rounded up to whole seconds, and at least ${upscalerLimits.secondsBilledMin} s are billed. Of a video with more than ${upscalerLimits.framesPerSecondBilled} frames a second, the number of frames divided by ${upscalerLimits.framesPerSecondBilled} counts as its seconds. These prices apply to \`upscale/create\`; \`upscaleResolution\` of a video task has its own prices, above.
`;
}

function code({ name }: Priced): string {
  return `\`${name}\``;
}
