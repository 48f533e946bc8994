import assert from "node:assert";
import fc from "fast-check";
import { withoutUndefined } from "../src/http/without-undefined.ts";
import { type AssetFacts, applyFiles } from "../src/models/asset-rules.ts";
import { models } from "../src/models/catalogue.ts";
import type { Model } from "../src/models/model.ts";
import { planRequest, requireModel } from "../src/models/plan-request.ts";
import { type Price, priceOf } from "../src/models/prices.ts";
import type { Rates } from "../src/models/rates.ts";
import type { ModelRequest } from "../src/models/request.ts";
import { ratesIn } from "../src/prices/document.ts";
import { readFirstBooks } from "../src/prices/first-books.ts";
import type { Image, Video } from "./published-prices.ts";

/** The books whose prices are published. */
export const schedules = ["A", "B"] as const;
const books = readFirstBooks();

/** The rates of a model in version 1 of a book. */
export function firstRates(model: Pick<Model, "name" | "rateKeys">, book: string): Rates {
  return ratesIn(books.get(book) ?? assert.fail(), model) ?? assert.fail();
}

export type PricedTask =
  | (Video & { mode: string; defaultDuration: boolean })
  | (Image & { mode: string });

/** Returns the inputs that a caller would send for the task. */
export function inputsOf(task: PricedTask): Record<string, unknown> {
  const urls = Array.from({ length: imagesOf(task) }, (_, at) => `https://example.com/${at}.png`);
  if (!("seconds" in task)) {
    const { resolution, quality } = task;
    return withoutUndefined({ prompt: "a fox", urls, resolution, quality: quality ?? undefined });
  }
  const { outputResolution, upscaleResolution } = task;
  return withoutUndefined({
    prompt: "a fox",
    urls,
    outputResolution,
    upscaleResolution: upscaleResolution ?? undefined,
    duration: task.defaultDuration ? undefined : `${task.seconds}s`,
    ...(task.mode === "reference-to-video" ? { videoWorkflowTab: "multi-reference" } : {}),
    ...(task.mode === "reference"
      ? {
          videoInputMode: "reference",
          resolution: "1280x720",
          videoUrls: task.inputVideoMs.map((_, at) => `asset://asset-20260101-v${at}`),
        }
      : {}),
  });
}

function imagesOf(task: PricedTask): number {
  switch (task.mode) {
    case "image-to-video":
    case "edit":
      return 1;
    case "keyframe":
    case "reference-to-video":
      return 2;
    case "reference":
      return "inputVideoMs" in task && task.inputVideoMs.length > 0 ? 0 : 1;
    default:
      return 0;
  }
}

/** The request of the task, which went the way of every real one. */
export function requestOf(task: PricedTask): { model: Model; request: ModelRequest } {
  const assets = new Map<string, AssetFacts>();
  const inputVideoMs = "inputVideoMs" in task ? task.inputVideoMs : [];
  for (const [at, durationMs] of inputVideoMs.entries())
    assets.set(`asset-20260101-v${at}`, {
      type: "VIDEO",
      status: "ACTIVE",
      contentType: "video/mp4",
      sizeBytes: 1_000_000,
      width: 1280,
      height: 720,
      durationMs,
    });
  const model = requireModel(models, task.model);
  const request = applyFiles(model, planRequest(model, inputsOf(task)), {
    assets,
    outputs: new Map(),
  });
  assert(request.mode === task.mode);
  return { model, request };
}

export function priceOfTask(task: PricedTask, schedule: (typeof schedules)[number]): Price {
  const { model, request } = requestOf(task);
  return priceOf(model, request, firstRates(model, schedule));
}

const resolutionsOf = {
  sd2: ["720p", "1080p"],
  "sd2-fast": ["720p"],
  happyhorse: ["720p", "1080p"],
} as const;
const secondsMinOf = { sd2: 4, "sd2-fast": 4, happyhorse: 3 } as const;
const videoModels = ["sd2", "sd2-fast", "happyhorse"] as const;

/** Every combination of model, native resolution and upscale that is for sale. */
const videoKinds = videoModels.flatMap((model) =>
  resolutionsOf[model].flatMap((outputResolution) =>
    ([null, "1080p", "2k", "4k"] as const)
      .filter((upscaleResolution) => upscaleResolution !== outputResolution)
      .map((upscaleResolution) => ({ model, outputResolution, upscaleResolution })),
  ),
);
const imageKinds = (["1k", "2k", "4k"] as const).flatMap((resolution) => [
  { model: "image-pro-2" as const, resolution, quality: "medium" as const },
  { model: "image-pro-2" as const, resolution, quality: "high" as const },
  { model: "image-plus-2" as const, resolution, quality: null },
]);

const videoInputs = [[], [1], [4_200], [15_000], [1, 15_000], [3_000, 3_001, 10_000]];
export const videos: PricedTask[] = videoKinds.flatMap((kind) =>
  videoInputs
    .filter((inputVideoMs) => kind.model !== "happyhorse" || inputVideoMs.length === 0)
    .flatMap((inputVideoMs) => {
      const mode = inputVideoMs.length === 0 ? "text-to-video" : "reference";
      const video = { ...kind, inputVideoMs, mode };
      return [
        { ...video, seconds: secondsMinOf[kind.model], defaultDuration: false },
        { ...video, seconds: 15, defaultDuration: false },
        { ...video, seconds: 5, defaultDuration: true },
      ];
    }),
);
export const images: PricedTask[] = imageKinds.flatMap((kind) =>
  ["text-to-image", "edit"].map((mode) => ({ ...kind, mode })),
);

const anyVideo = fc
  .record({
    kind: fc.constantFrom(...videoKinds),
    spare: fc.integer({ min: 0, max: 12 }),
    mode: fc.integer({ min: 0, max: 4 }),
    videos: fc.array(fc.integer({ min: 1, max: 15_000 }), { maxLength: 3 }),
    defaultDuration: fc.boolean(),
  })
  .map(({ kind, spare, mode, videos, defaultDuration }): PricedTask => {
    const modes =
      kind.model === "happyhorse"
        ? ["text-to-video", "image-to-video", "reference-to-video"]
        : ["text-to-video", "image-to-video", "keyframe", "reference", "reference"];
    const chosen = modes[mode % modes.length] ?? assert.fail();
    const secondsMin = secondsMinOf[kind.model];
    return {
      ...kind,
      mode: chosen,
      inputVideoMs: chosen === "reference" ? videos : [],
      seconds: defaultDuration ? 5 : secondsMin + (spare % (16 - secondsMin)),
      defaultDuration,
    };
  });
const anyImage = fc
  .record({
    kind: fc.constantFrom(...imageKinds),
    mode: fc.constantFrom("text-to-image", "edit"),
  })
  .map(({ kind, mode }): PricedTask => ({ ...kind, mode }));
export const anyTask = fc.oneof(
  { weight: 9, arbitrary: anyVideo },
  { weight: 1, arbitrary: anyImage },
);
