import assert from "node:assert";
import { z } from "zod";
import type { Image } from "../../media/image/fit-image.ts";
import type { ImageRequest } from "../../models/request.ts";
import type { FormField } from "../call.ts";

/** The parts of the Images API's messages that we read and write. */
export const imagesSchema = z.object({
  data: z.tuple([z.object({ b64_json: z.string().min(1) })], z.unknown()),
  usage: z.unknown().optional(),
});

const optionalText = z.string().nullish().catch(null);
export const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: optionalText,
    code: optionalText,
    param: optionalText,
    moderation_details: z.object({ moderation_stage: optionalText }).nullish().catch(null),
  }),
});
export type OpenAiFault = z.output<typeof errorSchema>["error"];

/**
 * gpt-image-2 takes sides that are multiples of 16, up to 3840 long, with 655 360 to 8 294 400 pixels
 * in all. So 1k is not 1024 wide for flat images, and a square of 4k is 2880, not 4096.
 */
export const sizes: Readonly<
  Record<ImageRequest["resolution"], Readonly<Record<string, `${number}x${number}`>>>
> = {
  "1k": {
    "1:1": "1024x1024",
    "16:9": "1280x720",
    "9:16": "720x1280",
    "4:3": "1152x864",
    "3:4": "864x1152",
  },
  "2k": {
    "1:1": "2048x2048",
    "16:9": "2048x1152",
    "9:16": "1152x2048",
    "4:3": "2048x1536",
    "3:4": "1536x2048",
  },
  "4k": {
    "1:1": "2880x2880",
    "16:9": "3840x2160",
    "9:16": "2160x3840",
    "4:3": "3264x2448",
    "3:4": "2448x3264",
  },
};

interface RequestParts {
  request: ImageRequest;
  model: string;
  endUser: string;
}

/** Renders a request for `/images/generations`. */
export function renderGeneration(parts: RequestParts): Record<string, unknown> {
  return { ...common(parts), n: 1, moderation: "auto" };
}

/**
 * Renders a request for `/images/edits`: the images come last and keep the caller's order, which prompts
 * refer to.
 */
export function renderEdit(parts: RequestParts, images: readonly Image[]): FormField[] {
  const files = images.map((image, index): FormField => {
    const fileName = `image-${index + 1}.${image.contentType.slice("image/".length)}`;
    return ["image[]", { ...image, fileName }];
  });
  return [...Object.entries(common(parts)), ["n", "1"], ...files];
}

function common({ request, model, endUser }: RequestParts): Record<string, string> {
  const size = sizes[request.resolution]?.[request.aspectRatio];
  const { prompt, quality, outputFormat } = request;
  assert(size !== undefined && quality !== null && outputFormat !== null);
  return { model, prompt, size, quality, output_format: outputFormat, user: endUser };
}
