import type { Answer } from "../../kit/image-answer.ts";
import { openaiHeaders } from "./errors.ts";

interface Presented {
  prompt: string;
  width: number;
  height: number;
  quality: "low" | "medium" | "high";
  format: string;
  /** The number of images that came with the request. */
  inputs: number;
}

/** The tokens of a square of 1024; other sizes are in proportion to their pixels. */
const outputTokens = { low: 272, medium: 1_056, high: 4_160 };
const inputTokensPerImage = 1_024;

export function presentImages(images: Buffer[], request: Presented): Answer {
  const { width, height, quality, format } = request;
  const text = Math.ceil(request.prompt.length / 4);
  const image = request.inputs * inputTokensPerImage;
  const share = (width * height) / 1_024 ** 2;
  const output = images.length * Math.round(outputTokens[quality] * share);
  const body = {
    created: Math.floor(Date.now() / 1_000),
    background: "opaque",
    data: images.map((bytes) => ({ b64_json: bytes.toString("base64") })),
    output_format: format,
    quality,
    size: `${width}x${height}`,
    usage: {
      input_tokens: text + image,
      input_tokens_details: { image_tokens: image, text_tokens: text },
      output_tokens: output,
      total_tokens: text + image + output,
    },
  };
  return { httpStatus: 200, headers: openaiHeaders(), body, code: null };
}
