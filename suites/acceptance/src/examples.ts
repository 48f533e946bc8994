import type { Inputs } from "@zoetrope/testkit/api-client.ts";
import { settings } from "./client.ts";

/** Public addresses with nothing behind them: a task that fetches them fails and costs nothing. */
export function images(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://example.com/image-${index}.png`);
}

export function audios(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://example.com/audio-${index}.mp3`);
}

export function unknownAssets(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `asset://asset-20200101000000-none${index}`);
}

/** A prompt whose task ends without a video, and so without a cost, where there is a sandbox. */
export const freePrompt = settings.hasSandbox
  ? "A paper boat [sandbox:fail]"
  : "A paper boat crosses a puddle at dusk";

/** A prompt like `freePrompt`, whose task also stays open for some seconds before it ends. */
export const longPrompt = settings.hasSandbox
  ? "A paper boat [sandbox:slow=3] [sandbox:fail]"
  : freePrompt;

/** Still open after a few more calls, also where calls are slow. */
export const openPrompt = settings.hasSandbox
  ? "A paper boat [sandbox:slow=6] [sandbox:fail]"
  : freePrompt;

/** The sandbox renders identical requests once: tests that need just any video share this one. */
export const anyVideo = {
  model: "sd2-fast",
  inputs: {
    prompt: "A paper boat crosses a puddle",
    duration: "4s",
    generateAudio: false,
    seed: 7,
  },
  creditsA: 20,
} as const;

export interface Mode {
  model: string;
  mode: string;
  /** The cheapest inputs possible. */
  inputs: Inputs;
  /** Price under schedule A. */
  creditsA: number;
}

const seedanceModes = (model: string, creditsA: number): Mode[] => {
  const video = { prompt: freePrompt, duration: "4s" };
  const keyframe = { ...video, urls: images(2) };
  const reference = { ...video, videoInputMode: "reference", resolution: "1280x720" };
  return [
    { model, mode: "text-to-video", inputs: video, creditsA },
    { model, mode: "image-to-video", inputs: { ...video, urls: images(1) }, creditsA },
    { model, mode: "first and last frame", inputs: keyframe, creditsA },
    {
      model,
      mode: "keyframe by name",
      inputs: { ...keyframe, videoInputMode: "keyframe" },
      creditsA,
    },
    { model, mode: "reference with images", inputs: { ...reference, urls: images(3) }, creditsA },
    {
      model,
      mode: "reference with images and audio",
      inputs: { ...reference, urls: images(1), audioUrls: audios(1) },
      creditsA,
    },
  ];
};

const prompt = freePrompt;

/** Every model in every mode that needs no uploaded asset. */
export const modes: readonly Mode[] = [
  ...seedanceModes("sd2", 24),
  ...seedanceModes("sd2-fast", 20),
  {
    model: "sd2-fast",
    mode: "text-to-video upscaled to 1080p",
    inputs: { prompt, duration: "4s", upscaleResolution: "1080p" },
    creditsA: 32,
  },
  { model: "happyhorse", mode: "text-to-video", inputs: { prompt, duration: "3" }, creditsA: 15 },
  {
    model: "happyhorse",
    mode: "image-to-video",
    inputs: { urls: images(1), duration: "3" },
    creditsA: 15,
  },
  {
    model: "happyhorse",
    mode: "reference-to-video",
    inputs: {
      prompt: "character1 meets character2",
      urls: images(2),
      videoWorkflowTab: "multi-reference",
      duration: "3",
    },
    creditsA: 15,
  },
  ...["image-pro-2", "image-plus-2"].flatMap((model) => [
    { model, mode: "text-to-image", inputs: { prompt, resolution: "1k" }, creditsA: 3 },
    {
      model,
      mode: "image-to-image edit",
      inputs: { prompt, urls: images(1), resolution: "1k" },
      creditsA: 3,
    },
  ]),
];
