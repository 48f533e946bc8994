import type { Answer } from "../../kit/image-answer.ts";
import { answerEnd } from "./outcomes.ts";

interface Presented {
  model: string;
  prompt: string;
  /** Whether text was requested beside the image. */
  withText: boolean;
  inputs: number;
}

const tokensPerImage = 1_120;

/** The last image is the requested one; any before it are thoughts. */
export function presentImage(images: Buffer[], request: Presented): Answer {
  const parts = images.map((bytes, at) => {
    const inlineData = { mimeType: "image/png", data: bytes.toString("base64") };
    return at < images.length - 1 ? { inlineData, thought: true } : { inlineData };
  });
  const textParts = request.withText ? [{ text: "Here is your image." }] : [];
  const content = { parts: [...textParts, ...parts], role: "model" };
  const textTokens = Math.ceil(request.prompt.length / 4);
  const body = {
    candidates: [{ content, finishReason: "STOP", index: 0 }],
    ...answerEnd(textTokens, images.length * tokensPerImage, request.inputs * tokensPerImage),
    modelVersion: request.model,
  };
  return { httpStatus: 200, body, code: null };
}
