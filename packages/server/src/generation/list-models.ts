import type { Context } from "../context.ts";
import type { Language, Text } from "../errors.ts";
import { inputsSchemaOf } from "../models/inputs-schema.ts";
import { type Model, parametersOf } from "../models/model.ts";
import { type Schedule, upscalePrices } from "../models/prices.ts";
import { shortSideOf, upscalerLimits, upscalerPrices } from "../models/upscaler.ts";
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

/** models: what can be asked for, what it costs under a schedule and how long it may take. */
export function listModels(
  ctx: ModelsContext,
  schedule: Schedule,
  language: Language,
): ModelsAnswer {
  return {
    models: modelsOn(ctx).map((model) => ({
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
      prices: pricesOf(model, schedule, language),
      ageMaxSeconds: ageMaxMsOf(ctx, model) / 1000,
    })),
    upscaler: describeUpscaler(ctx, schedule, language),
  };
}

/** One that an operator switched off is not offered. */
function modelsOn({ models, switches }: ModelsContext): Model[] {
  const { modelsOff } = switches.current();
  return models.filter(({ name }) => !modelsOff.has(name));
}

function describeUpscaler(ctx: Context, schedule: Schedule, language: Language): UpscalerEntry {
  const targets = (["1080p", "2k", "4k"] as const).map((targetResolution) => ({
    targetResolution,
    shortSide: shortSideOf[targetResolution],
    creditsPerSecond: upscalerPrices[targetResolution][schedule],
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
  return { schedule, formula, targets, ...limits };
}

export function ageMaxMsOf(ctx: Context, { kind }: Pick<Model, "kind">): number {
  return kind === "video" ? ctx.config.tasks.videoAgeMaxMs : ctx.config.tasks.imageAgeMaxMs;
}

function pricesOf(model: Model, schedule: Schedule, language: Language): ModelEntry["prices"] {
  const formula = formulas[model.kind][language];
  if (model.kind === "image") {
    const images = model.prices.map(({ resolution, quality, image }) => ({
      resolution,
      quality,
      creditsPerImage: image[schedule],
    }));
    return { schedule, formula, images };
  }
  const seconds = Object.entries(model.prices).map(([outputResolution, prices]) => ({
    outputResolution,
    creditsPerSecond: prices.plain[schedule],
    creditsPerSecondWithVideo: prices.withVideo?.[schedule] ?? null,
  }));
  const isUpscaled = parametersOf(model).has("upscaleResolution");
  const upscale = Object.entries(isUpscaled ? upscalePrices : {}).map(
    ([upscaleResolution, prices]) => ({ upscaleResolution, creditsPerSecond: prices[schedule] }),
  );
  return { schedule, formula, seconds, upscale };
}
