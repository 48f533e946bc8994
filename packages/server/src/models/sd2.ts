import { z } from "zod";
import type { VideoRatio, VideoRequest } from "./video-request.ts";

/** `resolution` only selects the aspect ratio; the pixels come from the model. */
const ratioOfResolution = {
  "720x720": "1:1",
  "720x960": "3:4",
  "960x720": "4:3",
  "1280x720": "16:9",
  "720x1280": "9:16",
  "1280x540": "21:9",
} as const satisfies Record<string, VideoRatio>;
type Resolution = keyof typeof ratioOfResolution;

const resolutions = Object.keys(ratioOfResolution) as [Resolution, ...Resolution[]];
const durationSecondsMin = 4;
const durationSecondsMax = 15;
const seedMax = 2_147_483_647;

const promptRule = "is required for text-to-video: say what the film shows";
const durationRule = `must be whole seconds from '${durationSecondsMin}s' to '${durationSecondsMax}s'`;
const seedRule = `must be -1 (random) or a whole number from 0 to ${seedMax}`;

const duration = z
  .string({ error: durationRule })
  .regex(/^[0-9]{1,2}s?$/, { error: durationRule })
  .transform((text) => Number.parseInt(text, 10))
  .refine((seconds) => seconds >= durationSecondsMin && seconds <= durationSecondsMax, {
    error: durationRule,
  });

/** The inputs of sd2 in text-to-video mode, by the names of the interface. */
export const sd2Inputs = z.strictObject({
  prompt: z
    .string({ error: promptRule })
    .refine((text) => text.trim() !== "", { error: promptRule })
    .refine((text) => text.isWellFormed() && !text.includes("\u0000"), {
      error: "must be well-formed text without NUL characters",
    }),
  duration: duration.default(5),
  resolution: z.enum(resolutions, { error: `must be one of ${resolutions.join(", ")}` }).optional(),
  outputResolution: z
    .enum(["720p", "1080p"], { error: "must be one of 720p, 1080p" })
    .default("720p"),
  seed: z
    .int({ error: seedRule })
    .min(-1, { error: seedRule })
    .max(seedMax, { error: seedRule })
    .nullish(),
  generateAudio: z.boolean({ error: "must be true or false" }).default(true),
});

export function planSd2(inputs: z.output<typeof sd2Inputs>): VideoRequest {
  const { resolution, seed } = inputs;
  return {
    model: "sd2",
    prompt: inputs.prompt,
    durationSeconds: inputs.duration,
    ratio: resolution === undefined ? null : ratioOfResolution[resolution],
    outputResolution: inputs.outputResolution,
    seed: seed === undefined || seed === null || seed === -1 ? null : seed,
    generateAudio: inputs.generateAudio,
  };
}
