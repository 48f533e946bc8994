import { z } from "zod";
import { RefusalError } from "../../kit/image-answer.ts";
import type { ImageRequest } from "../../kit/image-handler.ts";
import { seedOf } from "../../kit/seed-of.ts";
import { firstProblem, invalidArgument } from "./errors.ts";
import { fetchImages, fileDataSchema, inlineDataSchema } from "./images.ts";
import { modelNotFound } from "./outcomes.ts";
import { presentImage } from "./present-image.ts";
import { aspectRatios, imageSizes, sizeOf } from "./sizes.ts";

const models = ["gemini-3.1-flash-image", "gemini-3-pro-image"];
const imagesMax = 14;

const partSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ inlineData: inlineDataSchema }),
  z.strictObject({ fileData: fileDataSchema }),
]);

const generationSchema = z.strictObject({
  responseModalities: z
    .array(z.enum(["TEXT", "IMAGE"]))
    .min(1)
    .default(["TEXT", "IMAGE"]),
  imageConfig: z
    .strictObject({
      aspectRatio: z.enum(aspectRatios).default("1:1"),
      imageSize: z.enum(imageSizes).default("1K"),
    })
    .prefault({}),
  candidateCount: z.literal(1).optional(),
  seed: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(1).optional(),
  maxOutputTokens: z.int().min(1).optional(),
});

/** Google refuses names that it does not know. */
const bodySchema = z.strictObject({
  contents: z
    .array(
      z.strictObject({
        role: z.enum(["user", "model"]).optional(),
        parts: z.array(partSchema).min(1),
      }),
    )
    .min(1),
  generationConfig: generationSchema.prefault({}),
  safetySettings: z
    .array(z.strictObject({ category: z.string(), threshold: z.string() }))
    .optional(),
});

/** A call of `models/{model}:generateContent`. Throws RefusalError. */
export function readRequest(model: string, body: unknown): ImageRequest {
  if (!models.includes(model)) throw new RefusalError(modelNotFound(model));
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw firstProblem(parsed.error);
  const { contents, generationConfig: config } = parsed.data;
  const parts = contents.flatMap((content) => content.parts);
  const prompt = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  const images = parts.flatMap((part) => ("text" in part ? [] : [part]));
  refuseUnless(prompt.trim() !== "", "contents must not be empty.", "contents");
  refuseUnless(images.length <= imagesMax, `At most ${imagesMax} images.`, "contents");
  const withText = config.responseModalities.includes("TEXT");
  const hasImage = config.responseModalities.includes("IMAGE");
  const modalities = "generation_config.response_modalities";
  refuseUnless(hasImage, "The model makes images: IMAGE is required.", modalities);
  const { aspectRatio, imageSize } = config.imageConfig;
  const seed = config.seed ?? seedOf(prompt);
  const image = { prompt, seed, format: "png" as const };
  const thought = { ...image, ...sizeOf("1K", aspectRatio), seed: seed + 1 };
  const wanted = { ...image, ...sizeOf(imageSize, aspectRatio) };
  return {
    model,
    prompt,
    user: null,
    fetchInputs: (fetchInput) => fetchImages(images, fetchInput),
    imagesOf: (script) => (script.thought ? [thought, wanted] : [wanted]),
    present: (drawn) => presentImage(drawn, { model, prompt, withText, inputs: images.length }),
  };
}

function refuseUnless(isRight: boolean, message: string, field: string) {
  if (!isRight) throw new RefusalError(invalidArgument(message, field));
}
