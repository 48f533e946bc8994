import type { Discount } from "../accounts/queries.ts";
import type { Context } from "../context.ts";
import type { Language, Text } from "../errors.ts";
import { inputsSchemaOf } from "../models/inputs-schema.ts";
import type { Model } from "../models/model.ts";
import { partsOfRateKey, type Rates, rateOf, videoRateKey } from "../models/rates.ts";
import { shortSideOf, upscalerLimits } from "../models/upscaler.ts";
import { ratesIn, upscalerPriced } from "../prices/document.ts";
import { requireRates } from "../prices/find-pricing.ts";
import type { PriceVersion } from "../prices/price-books.ts";
import type { ModelsContext } from "./context.ts";
import type { ModelEntry, ModelsAnswer, UpscalerEntry } from "./schema.ts";

const formulas = {
  video: {
    en: "creditsPerSecond times the output seconds, plus the upscale. With reference videos, creditsPerSecondWithVideo applies to the output and to every reference video: its duration rounded up, but at least 2/3 of the output. The total is rounded up once.",
    zh: "creditsPerSecond × 输出秒数，加上超分费用。使用参考视频时，输出视频和每段参考视频均按 creditsPerSecondWithVideo 计费：参考视频的时长向上取整到秒，且不少于输出时长的 2/3。总价向上取整一次。",
  },
  image: { en: "One image per task.", zh: "每个任务生成一张图片。" },
  upscaler: {
    en: `creditsPerSecond times the measured duration of the source, rounded up to whole seconds, at least ${upscalerLimits.secondsBilledMin}. Above ${upscalerLimits.framesPerSecondBilled} frames a second, the frames divided by ${upscalerLimits.framesPerSecondBilled} count instead of the duration.`,
    zh: `creditsPerSecond × 源视频的实测时长；时长向上取整到秒，不足 ${upscalerLimits.secondsBilledMin} 秒按 ${upscalerLimits.secondsBilledMin} 秒计。帧率超过每秒 ${upscalerLimits.framesPerSecondBilled} 帧时，以总帧数 ÷ ${upscalerLimits.framesPerSecondBilled} 代替时长。`,
  },
} as const satisfies Record<string, Text>;

/** What an account pays by, and what it will pay by. */
export interface Prices {
  version: PriceVersion;
  /** The version after it, once it is published. */
  next: PriceVersion | null;
  discount: Discount | null;
}

/** models: what can be asked for, what it costs and how long it may take. */
export function listModels(ctx: ModelsContext, prices: Prices, language: Language): ModelsAnswer {
  const { version, next, discount } = prices;
  return {
    models: modelsOn(ctx).flatMap((model) => {
      const rates = ratesIn(version.document, model);
      return rates === null ? [] : [describeModel(ctx, model, rates, language)];
    }),
    upscaler: describeUpscaler(ctx, version, language),
    prices: {
      priceVersion: version.id,
      discount,
      change: next === null ? null : describeChange(ctx, version, next),
    },
  };
}

/** When another version begins, and the rates that differ in it. */
function describeChange(ctx: ModelsContext, version: PriceVersion, next: PriceVersion) {
  const rates = [...modelsOn(ctx), upscalerPriced].flatMap((model) => {
    const [before, after] = [version, next].map(({ document }) => ratesIn(document, model));
    return model.rateKeys
      .map((rate) => ({
        model: model.name,
        rate,
        before: before?.[rate] ?? null,
        after: after?.[rate] ?? null,
      }))
      .filter((row) => row.before !== row.after);
  });
  return { priceVersion: next.id, validFrom: next.validFrom.getTime(), rates };
}

function describeModel(
  ctx: ModelsContext,
  model: Model,
  rates: Rates,
  language: Language,
): ModelEntry {
  return {
    model: model.name,
    kind: model.kind,
    title: model.title,
    summary: model.summary[language],
    deprecation: model.deprecation ?? null,
    modes: model.modes.map(({ name, text, when }) => ({
      mode: name,
      title: text.title[language],
      description: text.description[language],
      when: when[language],
    })),
    inputs: inputsSchemaOf(model, language),
    prices: pricesOf(model, rates, language),
    ageMaxSeconds: ageMaxMsOf(ctx, model) / 1000,
  };
}

/** One that an operator switched off is not offered. */
function modelsOn({ models, switches }: ModelsContext): Model[] {
  const { modelsOff } = switches.current();
  return models.filter(({ name }) => !modelsOff.has(name));
}

function describeUpscaler(
  ctx: ModelsContext,
  version: PriceVersion,
  language: Language,
): UpscalerEntry {
  const rates = requireRates({ version }, upscalerPriced);
  const targets = (["1080p", "2k", "4k"] as const).map((targetResolution) => ({
    targetResolution,
    shortSide: shortSideOf[targetResolution],
    creditsPerSecond: rateOf(rates, targetResolution, upscalerPriced.name),
  }));
  const { secondsBilledMin, secondsMax, framesPerSecondBilled, sizeBytesMax } = upscalerLimits;
  const ageMaxSeconds = ctx.config.tasks.upscaleAgeMaxMs / 1000;
  const formula = formulas.upscaler[language];
  const limits = {
    secondsBilledMin,
    secondsMax,
    framesPerSecondBilled,
    sizeBytesMax,
    ageMaxSeconds,
  };
  return { formula, targets, ...limits };
}

export function ageMaxMsOf(ctx: Context, { kind }: Pick<Model, "kind">): number {
  return kind === "video" ? ctx.config.tasks.videoAgeMaxMs : ctx.config.tasks.imageAgeMaxMs;
}

function pricesOf(model: Model, rates: Rates, language: Language): ModelEntry["prices"] {
  const formula = formulas[model.kind][language];
  const keys = model.rateKeys.map((key) => ({ key, of: partsOfRateKey(key) }));
  const outputs = keys.flatMap(({ key, of }) =>
    of.kind === "output" && !of.hasVideo ? [{ ...of, rate: rateOf(rates, key, model.name) }] : [],
  );
  if (model.kind === "image") {
    const images = outputs.map(({ resolution, quality, rate }) => ({
      resolution,
      quality,
      creditsPerImage: rate,
    }));
    return { formula, images };
  }
  const seconds = outputs.map(({ resolution, rate }) => ({
    outputResolution: resolution,
    creditsPerSecond: rate,
    creditsPerSecondWithVideo: rates[videoRateKey(resolution, true)] ?? null,
  }));
  const upscale = keys.flatMap(({ key, of }) =>
    of.kind === "upscale"
      ? [{ upscaleResolution: of.target, creditsPerSecond: rateOf(rates, key, model.name) }]
      : [],
  );
  return { formula, seconds, upscale };
}
