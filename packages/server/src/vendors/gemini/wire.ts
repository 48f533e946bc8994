import { z } from "zod";
import type { ImageRequest } from "../../models/request.ts";

/** The parts of Gemini's messages that we read and write. */
const optionalText = z.string().nullish().catch(null);

const partSchema = z.object({
  thought: z.boolean().nullish(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).nullish(),
});

/** Tokens by modality, as `{"TEXT": 8, "IMAGE": 1290}`. */
const tokenDetails = z
  .array(z.object({ modality: z.string(), tokenCount: z.number() }))
  .transform((all) =>
    Object.fromEntries(all.map(({ modality, tokenCount }) => [modality, tokenCount])),
  )
  .optional()
  .catch(undefined);

export const generatedSchema = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(partSchema).nullish() }).nullish(),
        finishReason: optionalText,
        finishMessage: optionalText,
      }),
    )
    .nullish(),
  promptFeedback: z
    .object({ blockReason: optionalText, blockReasonMessage: optionalText })
    .nullish(),
  usageMetadata: z
    .looseObject({ promptTokensDetails: tokenDetails, candidatesTokensDetails: tokenDetails })
    .nullish()
    .catch(null),
});
export type Generated = z.output<typeof generatedSchema>;

export const errorSchema = z.object({
  error: z.object({
    status: z.string(),
    message: z.string().catch(""),
    details: z.array(z.object({ reason: optionalText, retryDelay: optionalText })).catch([]),
  }),
});
export type GeminiFault = z.output<typeof errorSchema>["error"];

interface InlineImage {
  base64: string;
  contentType: string;
}

/**
 * The text of a request before, between and after its images, whose base64 belongs in between. In a prompt the
 * mark cannot occur: JSON escapes its quotes.
 */
export function renderAround(request: ImageRequest, contentTypes: readonly string[]): string[] {
  const images = contentTypes.map((contentType) => ({ base64: "", contentType }));
  const texts = JSON.stringify(renderGenerate(request, images)).split('"data":""');
  return texts.map((text, index) => {
    const start = index === 0 ? "" : '"';
    return start + text + (index === texts.length - 1 ? "" : '"data":"');
  });
}

/** Always says ratio and size: left to itself, Gemini makes 1K in the shape of the first image. */
export function renderGenerate(
  request: ImageRequest,
  images: readonly InlineImage[],
): Record<string, unknown> {
  const files = images.map(({ base64, contentType }) => ({
    inlineData: { mimeType: contentType, data: base64 },
  }));
  return {
    contents: [{ role: "user", parts: [{ text: request.prompt }, ...files] }],
    generationConfig: {
      responseModalities: ["IMAGE"],
      imageConfig: {
        aspectRatio: request.aspectRatio,
        imageSize: request.resolution.toUpperCase(), // `2k` is not understood
      },
    },
  };
}

/** The image in base64: the last one, since earlier ones and thoughts are drafts. */
export function imageOf({ candidates }: Generated): string | undefined {
  return candidates?.[0]?.content?.parts
    ?.filter((part) => part.thought !== true)
    .map((part) => part.inlineData)
    .findLast((data) => data?.mimeType.startsWith("image/"))?.data;
}
