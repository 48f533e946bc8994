import { z } from "zod";
import type { Context } from "../context.ts";
import { type Model, parametersOf } from "../models/model.ts";
import { type Schedule, upscalePrices } from "../models/prices.ts";
import { shortSideOf, upscalerLimits, upscalerPrices } from "../models/upscaler.ts";
import type { ModelsContext } from "./context.ts";
import type { ModelEntry, ModelsAnswer, UpscalerEntry } from "./schema.ts";

const videoFormula =
  "creditsPerSecond times the output seconds, plus the upscale. With reference videos, creditsPerSecondWithVideo applies to the output and to every reference video: its duration rounded up, but at least 2/3 of the output. The total is rounded up once.";
const upscalerFormula = `creditsPerSecond times the measured duration of the source, rounded up to whole seconds, at least ${upscalerLimits.secondsBilledMin}.`;

/** models: what can be asked for, what it costs under a schedule and how long it may take. */
export function listModels(ctx: ModelsContext, schedule: Schedule): ModelsAnswer {
  return {
    models: modelsOn(ctx).map((model) => ({
      model: model.name,
      kind: model.kind,
      summary: model.summary,
      deprecation: model.deprecation ?? null,
      modes: model.modes.map(({ name, when }) => ({ mode: name, when })),
      inputs: inputsSchemaOf(model),
      prices: pricesOf(model, schedule),
      ageMaxSeconds: ageMaxMsOf(ctx, model) / 1000,
    })),
    upscaler: describeUpscaler(ctx, schedule),
  };
}

/** One that an operator switched off is not offered. */
function modelsOn({ models, switches }: ModelsContext): Model[] {
  const { modelsOff } = switches.current();
  return models.filter(({ name }) => !modelsOff.has(name));
}

function describeUpscaler(ctx: Context, schedule: Schedule): UpscalerEntry {
  const targets = (["1080p", "2k", "4k"] as const).map((targetResolution) => ({
    targetResolution,
    shortSide: shortSideOf[targetResolution],
    creditsPerSecond: upscalerPrices[targetResolution][schedule],
  }));
  const { secondsMax, sizeBytesMax } = upscalerLimits;
  const ageMaxSeconds = ctx.config.tasks.upscaleAgeMaxMs / 1000;
  return { schedule, formula: upscalerFormula, targets, secondsMax, sizeBytesMax, ageMaxSeconds };
}

export function ageMaxMsOf(ctx: Context, { kind }: Pick<Model, "kind">): number {
  return kind === "video" ? ctx.config.tasks.videoAgeMaxMs : ctx.config.tasks.imageAgeMaxMs;
}

/** One JSON Schema for the model: any of its modes, each titled with its name. */
export function inputsSchemaOf(model: Model): Record<string, unknown> {
  const anyOf = model.modes.map(({ name, when, inputs }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(inputs, { io: "input" });
    return { title: name, description: `When: ${when}.`, ...schema };
  });
  return { $schema: "https://json-schema.org/draft/2020-12/schema", anyOf };
}

function pricesOf(model: Model, schedule: Schedule): ModelEntry["prices"] {
  if (model.kind === "image") {
    const images = model.prices.map(({ resolution, quality, image }) => ({
      resolution,
      quality,
      creditsPerImage: image[schedule],
    }));
    return { schedule, formula: "One image per task.", images };
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
  return { schedule, formula: videoFormula, seconds, upscale };
}
