import { z } from "zod";
import { RefusalError } from "../../kit/image-answer.ts";
import { imageFormats } from "../../kit/image-format.ts";
import type { ImageRequest } from "../../kit/image-handler.ts";
import { seedOf } from "../../kit/seed-of.ts";
import { firstProblem, invalidRequest } from "./errors.ts";
import { fetchImages, imagesSchema, readImageParts } from "./images.ts";
import { presentImages } from "./present-images.ts";
import { readSize } from "./sizes.ts";

const models = ["gpt-image-2", "gpt-image-2-2026-04-21"];
const promptCharactersMax = 32_000;

/** The parameters that both calls take. Any other is refused, as the vendor does. */
const fields = {
  model: z.enum(models),
  prompt: z.string().min(1).max(promptCharactersMax),
  n: z.int().min(1).max(10).default(1),
  size: z.string().max(40).default("auto"),
  quality: z.enum(["auto", "low", "medium", "high"]).default("auto"),
  output_format: z.enum(imageFormats).default("png"),
  output_compression: z.int().min(0).max(100).optional(),
  background: z.enum(["auto", "opaque"]).default("auto"),
  stream: z.literal(false).optional(),
  user: z.string().max(512).optional(),
};
const moderation = z.enum(["auto", "low"]).default("auto");

const generationSchema = z.strictObject({ ...fields, moderation });
const editSchema = z.strictObject({ ...fields, moderation, images: imagesSchema });
/** The multipart form has no `moderation`; its images are read apart. */
const formSchema = z.strictObject(fields);

type Fields = z.output<typeof formSchema>;

/** A body of `/images/generations`. Throws RefusalError. */
export function readGeneration(body: unknown): ImageRequest {
  return toRequest(parse(generationSchema, body), async () => []);
}

/** A body of `/images/edits`, as a form or as JSON. Throws RefusalError. */
export function readEdit(body: unknown): ImageRequest {
  if (!(body instanceof FormData)) {
    const { images, ...edit } = parse(editSchema, body);
    return toRequest(edit, (fetchInput) => fetchImages(images, fetchInput));
  }
  const parts = readImageParts(body);
  const edit = parse(formSchema, readTexts(body));
  return toRequest(edit, (fetchInput) => fetchImages(parts, fetchInput));
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw firstProblem(parsed.error, body);
}

const numbers = ["n", "output_compression"];

/** The fields of a form that are no images; a form knows no numbers and no booleans. */
function readTexts(form: FormData): Record<string, unknown> {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (name === "image[]" || name === "image") continue;
    const isNumber = numbers.includes(name) && typeof value === "string" && /^\d{1,6}$/.test(value);
    texts[name] = isNumber ? Number(value) : value === "false" ? false : value;
  }
  return texts;
}

function toRequest(fields: Fields, fetchInputs: ImageRequest["fetchInputs"]): ImageRequest {
  const { model, prompt, n, output_format: format } = fields;
  const size = readSize(fields.size);
  if (typeof size === "string") {
    const message = `Invalid size '${fields.size}'. ${size}`;
    throw new RefusalError(invalidRequest("invalid_value", "size", message));
  }
  if (fields.output_compression !== undefined && format === "png") {
    const message = "Compression is supported for the formats jpeg and webp alone.";
    throw new RefusalError(invalidRequest("invalid_value", "output_compression", message));
  }
  const first = seedOf(prompt);
  const quality = fields.quality === "auto" ? "medium" : fields.quality;
  let inputs = 0;
  return {
    model,
    prompt,
    user: fields.user ?? null,
    async fetchInputs(fetchInput) {
      const images = await fetchInputs(fetchInput);
      inputs = images.length;
      return images;
    },
    imagesOf: () =>
      Array.from({ length: n }, (_, at) => ({ prompt, ...size, seed: first + at, format })),
    present: (images) => presentImages(images, { prompt, ...size, quality, format, inputs }),
  };
}
